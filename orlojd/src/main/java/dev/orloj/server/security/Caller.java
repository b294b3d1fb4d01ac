package dev.orloj.server.security;

import java.util.List;

/**
 * The user on whose behalf a request is made: always anonymous, because there is no authentication
 * yet.
 */
public record Caller(String username, String uid, List<String> groups) {

    public static final Caller ANONYMOUS =
            new Caller("system:anonymous", "", List.of("system:unauthenticated"));

    public Caller {
        groups = List.copyOf(groups);
    }
}
