package dev.orloj.server.security;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import java.io.IOException;

/**
 * Checks a request before any endpoint, and completes the response of one that it does not admit.
 * Guards run one after the other: a filter for each would deepen the stack of every call, which
 * costs a virtual thread time whenever it waits. Implementations are thread-safe.
 */
@FunctionalInterface
public interface RequestGuard {

    /** Returns whether the request goes on. If it does not, the response is complete. */
    boolean admits(HttpServletRequest request, HttpServletResponse response) throws IOException;
}
