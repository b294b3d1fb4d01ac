package dev.orloj.server.admission;

import java.net.URI;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Extracts the origin of an endpoint in a manifest, whose path may have placeholders. */
final class EndpointOrigin {

    private static final Pattern ORIGIN = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*");

    private EndpointOrigin() {}

    /** Returns scheme, host and port; empty when the endpoint is not a URL. */
    static Optional<URI> of(String endpoint) {
        Matcher origin = ORIGIN.matcher(endpoint.strip());
        try {
            return origin.lookingAt()
                    ? Optional.of(URI.create(origin.group())).filter(uri -> uri.getHost() != null)
                    : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
