package dev.orloj.server.security;

import dev.orloj.api.ErrorReason;
import dev.orloj.api.Status;
import dev.orloj.api.codec.Json;

import jakarta.servlet.http.HttpServletResponse;

import java.io.IOException;

/** Sends the error responses of filters, which run before every endpoint. */
public final class Refusals {

    private Refusals() {}

    static void forbid(HttpServletResponse response, String why) throws IOException {
        send(response, ErrorReason.FORBIDDEN, why);
    }

    public static void send(HttpServletResponse response, ErrorReason reason, String why)
            throws IOException {
        send(response, Status.failure(reason, why, null));
    }

    /** Completes the response with a Status and its code. */
    public static void send(HttpServletResponse response, Status status) throws IOException {
        response.setStatus(status.code());
        response.setContentType("application/json");
        response.getOutputStream().write(Json.MAPPER.writeValueAsBytes(status));
    }
}
