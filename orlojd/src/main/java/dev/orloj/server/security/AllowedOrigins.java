package dev.orloj.server.security;

import java.util.HashSet;
import java.util.Set;

/** The origins of web pages that may use the server, in addition to the server's own. */
public final class AllowedOrigins {

    private final Set<WebOrigin> origins = new HashSet<>();

    /**
     * @param property the setting that contains the origins
     * @throws IllegalArgumentException when a text is not an origin
     */
    public AllowedOrigins(String property, Set<String> texts) {
        for (String text : texts) {
            origins.add(
                    WebOrigin.parse(text)
                            .orElseThrow(
                                    () ->
                                            new IllegalArgumentException(
                                                    "%s: \"%s\" is no origin; give scheme, host and port, such as https://agents.example.com or http://localhost:3000"
                                                            .formatted(property, text))));
        }
    }

    boolean contains(WebOrigin origin) {
        return origins.contains(origin);
    }
}
