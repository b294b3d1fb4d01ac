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
 * Refuses endpoints whose host is an address that they may not lead to. Names are looked up when a
 * connection is made, and checked then.
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
            case McpServer server -> check(server.spec().endpoint());
            case Tool tool -> check(tool.spec().endpoint());
            default -> List.of();
        };
    }

    private List<FieldError> check(String endpoint) {
        // What is no URL is refused by the rules of the kind.
        String host = EndpointOrigin.of(endpoint).map(URI::getHost).orElse("");
        return addresses
                .objection(host)
                .map(why -> FieldError.invalid(ENDPOINT, endpoint, why))
                .stream()
                .toList();
    }
}
