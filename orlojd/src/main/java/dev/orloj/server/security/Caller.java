package dev.orloj.server.security;

import jakarta.servlet.http.HttpServletRequest;

import java.util.Collections;
import java.util.List;

/**
 * On whose behalf a request is made. As nobody is authenticated yet, this is nobody in particular,
 * or whoever the request claims to act for.
 */
public record Caller(String username, String uid, List<String> groups) {

    private static final Caller ANONYMOUS =
            new Caller("system:anonymous", "", List.of("system:unauthenticated"));

    public Caller {
        groups = List.copyOf(groups);
    }

    public static Caller of(HttpServletRequest request) {
        String user = request.getHeader("Impersonate-User");
        if (user == null || user.isBlank()) {
            return ANONYMOUS;
        }
        String uid = request.getHeader("Impersonate-Uid");
        List<String> groups = Collections.list(request.getHeaders("Impersonate-Group"));
        groups.add("system:authenticated");
        return new Caller(user, uid == null ? "" : uid, groups);
    }
}
