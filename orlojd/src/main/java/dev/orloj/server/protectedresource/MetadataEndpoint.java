package dev.orloj.server.protectedresource;

import dev.orloj.api.ErrorReason;
import dev.orloj.api.codec.Json;
import dev.orloj.server.security.Refusals;
import dev.orloj.server.security.RequestGuard;
import dev.orloj.server.security.SecuredPorts;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/**
 * Serves the metadata of protected resources to everyone: a client reads them before it has a
 * token, and they show nothing but the configuration.
 */
public final class MetadataEndpoint implements RequestGuard {

    private static final Set<String> READS = Set.of("GET", "HEAD");

    private final ProtectedResources resources;
    private final SecuredPorts ports;

    public MetadataEndpoint(ProtectedResources resources, SecuredPorts ports) {
        this.ports = ports;
        this.resources = resources;
    }

    @Override
    public boolean admits(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        String path = request.getRequestURI();
        boolean isMetadata =
                path.equals(ProtectedResources.WELL_KNOWN)
                        || path.startsWith(ProtectedResources.WELL_KNOWN + "/");
        if (!isMetadata || !ports.received(request) || !READS.contains(request.getMethod())) {
            return true;
        }
        Optional<ObjectNode> document = resources.document(path);
        if (document.isPresent()) {
            response.setContentType("application/json");
            response.setHeader("Cache-Control", "max-age=60");
            response.getOutputStream().write(Json.MAPPER.writeValueAsBytes(document.get()));
        } else {
            Refusals.send(
                    response,
                    ErrorReason.NOT_FOUND,
                    "\"%s\" is no MCP endpoint, or no issuer of tokens is configured"
                            .formatted(path));
        }
        return false;
    }
}
