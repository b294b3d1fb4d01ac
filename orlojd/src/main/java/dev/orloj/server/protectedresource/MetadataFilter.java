package dev.orloj.server.protectedresource;

import dev.orloj.api.ErrorReason;
import dev.orloj.api.Status;
import dev.orloj.api.codec.Json;
import dev.orloj.server.security.SecuredPorts;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
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
public final class MetadataFilter extends HttpFilter {

    private static final long serialVersionUID = 1L;
    private static final Set<String> READS = Set.of("GET", "HEAD");

    private final transient ProtectedResources resources;
    private final transient SecuredPorts ports;

    public MetadataFilter(ProtectedResources resources, SecuredPorts ports) {
        this.ports = ports;
        this.resources = resources;
    }

    @Override
    protected void doFilter(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        String path = request.getRequestURI();
        boolean isMetadata =
                path.equals(ProtectedResources.WELL_KNOWN)
                        || path.startsWith(ProtectedResources.WELL_KNOWN + "/");
        if (!isMetadata || !ports.received(request) || !READS.contains(request.getMethod())) {
            chain.doFilter(request, response);
            return;
        }
        Optional<ObjectNode> document = resources.document(path);
        response.setContentType("application/json");
        if (document.isPresent()) {
            response.setHeader("Cache-Control", "max-age=60");
            response.getOutputStream().write(Json.MAPPER.writeValueAsBytes(document.get()));
        } else {
            Status status =
                    Status.failure(
                            ErrorReason.NOT_FOUND,
                            "\"%s\" is no MCP endpoint, or no issuer of tokens is configured"
                                    .formatted(path),
                            null);
            response.setStatus(status.code());
            response.getOutputStream().write(Json.MAPPER.writeValueAsBytes(status));
        }
    }
}
