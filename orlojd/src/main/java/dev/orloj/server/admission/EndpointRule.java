package dev.orloj.server.admission;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.Resource;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Tool;
import dev.orloj.runtime.network.EndpointAddresses;

import java.net.URI;
import java.util.List;

/**
 * Rejects endpoints whose host is a denied address. Names are resolved when a connection is made,
 * and checked then.
 */
public final class EndpointRule implements AdmissionRule {

    private static final FieldPath ENDPOINT = FieldPath.of("spec", "endpoint");

    private final EndpointAddresses addresses;

    public EndpointRule(EndpointAddresses addresses) {
        this.addresses = addresses;
    }

    @Override
    public List<FieldError> check(Resource resource) {
        return switch (resource) {
            case McpServer server -> check(server.spec().http().endpoint());
            case Tool tool -> check(tool.spec().endpoint());
            default -> List.of();
        };
    }

    private List<FieldError> check(String endpoint) {
        // The rules of the kind reject endpoints that are not URLs.
        String host = EndpointOrigin.of(endpoint).map(URI::getHost).orElse("");
        return addresses
                .objection(host)
                .map(why -> FieldError.invalid(ENDPOINT, endpoint, why))
                .stream()
                .toList();
    }
}
