package dev.orloj.server.rest.http;

import dev.orloj.api.Status;
import dev.orloj.api.codec.Json;
import dev.orloj.server.processing.LateResponse;

import jakarta.servlet.http.HttpServletResponse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes responses: in one piece, with their length, and not cacheable. */
public final class Responses {

    public static final String DYNAMIC = "no-cache, private";

    private Responses() {}

    public static void json(HttpServletResponse response, int status, Object body)
            throws IOException {
        bytes(response, status, MediaTypes.JSON, Json.MAPPER.writeValueAsBytes(body));
    }

    /** Writes a body that may be large: compressed when it is, and the client accepts it. */
    public static void largeJson(HttpExchange exchange, Object body) throws IOException {
        HttpServletResponse response = exchange.response();
        byte[] bytes = Json.MAPPER.writeValueAsBytes(body);
        response.setHeader("Vary", "Accept, Accept-Encoding");
        if (Compression.isWorthwhile(exchange.request(), bytes)) {
            response.setHeader("Content-Encoding", "gzip");
            bytes = Compression.gzip(bytes);
        }
        bytes(response, 200, MediaTypes.JSON, bytes);
    }

    public static void text(HttpServletResponse response, int status, String body)
            throws IOException {
        bytes(response, status, "text/plain;charset=UTF-8", body.getBytes(StandardCharsets.UTF_8));
    }

    public static void bytes(
            HttpServletResponse response, int status, String contentType, byte[] body)
            throws IOException {
        response.setStatus(status);
        response.setContentType(contentType);
        if (!response.containsHeader("Cache-Control")) {
            response.setHeader("Cache-Control", DYNAMIC);
        }
        response.setContentLength(body.length);
        if (response instanceof LateResponse late) {
            late.hold(body);
        } else {
            response.getOutputStream().write(body);
        }
    }

    /** Responds with an error, unless a response has begun. */
    static void failure(HttpServletResponse response, Status status) throws IOException {
        if (response.isCommitted()) {
            return;
        }
        response.resetBuffer();
        Status.Details details = status.details();
        if (details != null && details.retryAfterSeconds() > 0) {
            response.setIntHeader("Retry-After", details.retryAfterSeconds());
        }
        json(response, status.code(), status);
    }

    /** Adds one header for each warning; leaves out what a header cannot contain. */
    public static void warn(HttpServletResponse response, List<String> warnings) {
        for (String warning : warnings) {
            String quoted =
                    warning.replaceAll("[^\\x20-\\x7e]", "?")
                            .replace("\\", "\\\\")
                            .replace("\"", "\\\"");
            response.addHeader("Warning", "299 - \"" + quoted + "\"");
        }
    }
}
