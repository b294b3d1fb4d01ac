package dev.orloj.server.mcp;

import jakarta.servlet.http.HttpServletRequest;

import tools.jackson.databind.JsonNode;

import java.net.InetAddress;
import java.util.Optional;

/**
 * An agent of 2026-07-28 that is known again although it has no session: a program on this machine,
 * which has one user as long as nobody is authenticated. What comes through a proxy may be from
 * anybody.
 *
 * @param info what it says that it is
 */
record LocalAgent(JsonNode info) {

    static Optional<LocalAgent> of(AgentRequest request) {
        JsonNode info = request.params().path(ReservedMeta.MEMBER).path(ReservedMeta.CLIENT_INFO);
        return info.isObject() && isLocal(request.headers().request())
                ? Optional.of(new LocalAgent(info))
                : Optional.empty();
    }

    private static boolean isLocal(HttpServletRequest request) {
        return InetAddress.ofLiteral(request.getRemoteAddr()).isLoopbackAddress()
                && request.getHeader("Forwarded") == null
                && request.getHeader("X-Forwarded-For") == null;
    }
}
