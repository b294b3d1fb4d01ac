package dev.orloj.server.mcp.protocol;

import dev.orloj.server.authentication.AuthenticationGuard;

import jakarta.servlet.http.HttpServletRequest;

import tools.jackson.databind.JsonNode;

import java.net.InetAddress;
import java.util.Optional;

/**
 * Identifies a client of 2026-07-28, which has no session: a program on this machine, which has one
 * user as long as there is no authentication. A proxied request may come from anyone, and with
 * authentication programs of several users can have the same info.
 *
 * @param info its own {@code clientInfo}
 */
public record LocalClient(JsonNode info) {

    public static Optional<LocalClient> of(ClientRequest request) {
        JsonNode info = request.params().path(ReservedMeta.MEMBER).path(ReservedMeta.CLIENT_INFO);
        return info.isObject()
                        && AuthenticationGuard.user(request.headers().request()).isEmpty()
                        && isLocal(request.headers().request())
                ? Optional.of(new LocalClient(info))
                : Optional.empty();
    }

    private static boolean isLocal(HttpServletRequest request) {
        return InetAddress.ofLiteral(request.getRemoteAddr()).isLoopbackAddress()
                && request.getHeader("Forwarded") == null
                && request.getHeader("X-Forwarded-For") == null;
    }
}
