package dev.orloj.server.security;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import java.io.IOException;

/**
 * A check that a request passes, or whose response it gets. Filters that only check would deepen
 * the stack of every call, which costs a virtual thread time whenever it waits. Implementations are
 * thread-safe.
 */
@FunctionalInterface
public interface RequestGuard {

    /** Returns whether the request goes on. If it does not, the response is complete. */
    boolean admits(HttpServletRequest request, HttpServletResponse response) throws IOException;
}
