package dev.orloj.server.security;

import java.util.HashSet;
import java.util.Set;

/** Web pages that may use the server, beside its own. */
public final class AllowedOrigins {

    private final Set<Origin> origins = new HashSet<>();

    /**
     * @param property where the origins were given
     * @throws IllegalArgumentException when one is no origin
     */
    public AllowedOrigins(String property, Set<String> texts) {
        for (String text : texts) {
            origins.add(
                    Origin.parse(text)
                            .orElseThrow(
                                    () ->
                                            new IllegalArgumentException(
                                                    "%s: \"%s\" is no origin; give scheme, host and port, such as https://agents.example.com or http://localhost:3000"
                                                            .formatted(property, text))));
        }
    }

    boolean contains(Origin origin) {
        return origins.contains(origin);
    }
}
