package dev.orloj.server.security;

import java.util.List;

/** On whose behalf a request is made: nobody in particular, as nobody is authenticated yet. */
public record Caller(String username, String uid, List<String> groups) {

    public static final Caller ANONYMOUS =
            new Caller("system:anonymous", "", List.of("system:unauthenticated"));

    public Caller {
        groups = List.copyOf(groups);
    }
}
