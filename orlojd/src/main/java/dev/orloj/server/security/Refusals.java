package dev.orloj.server.security;

import dev.orloj.api.ErrorReason;
import dev.orloj.api.Status;
import dev.orloj.api.codec.Json;

import jakarta.servlet.http.HttpServletResponse;

import java.io.IOException;

/** Sends the error responses of filters, which run before every endpoint. */
final class Refusals {

    private Refusals() {}

    static void forbid(HttpServletResponse response, String why) throws IOException {
        send(response, ErrorReason.FORBIDDEN, why);
    }

    static void send(HttpServletResponse response, ErrorReason reason, String why)
            throws IOException {
        Status status = Status.failure(reason, why, null);
        response.setStatus(status.code());
        response.setContentType("application/json");
        response.getOutputStream().write(Json.MAPPER.writeValueAsBytes(status));
    }
}
