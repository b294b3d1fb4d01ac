package dev.orloj.server.security;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import java.io.IOException;

/**
 * Rejects host names that a public site can have, on a server whose HTTP port is for this machine.
 * Through DNS rebinding, a web page could make a browser send requests there under the page's own
 * Host. The HTTPS port may have any name: it trusts no client.
 */
public final class LoopbackGuard implements RequestGuard {

    @Override
    public boolean admits(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        Authority host = Authority.parse(request.getHeader("Host"));
        if (host.isEmpty()
                || host.isLoopback()
                || host.isSingleLabel()
                || SecuredPorts.isEncrypted(request)) {
            return true;
        }
        Refusals.forbid(
                response,
                "the Host \"%s\" is not a loopback name; the HTTP port of orlojd serves this machine only"
                        .formatted(host.host()));
        return false;
    }
}
