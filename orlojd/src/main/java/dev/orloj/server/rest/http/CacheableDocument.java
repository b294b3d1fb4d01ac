package dev.orloj.server.rest.http;

import dev.orloj.api.codec.Json;
import dev.orloj.api.signature.Sha256;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;

/**
 * A response that stays the same while the server runs; clients that have it get 304.
 *
 * @param hash identifies the content
 */
public record CacheableDocument(String contentType, byte[] bytes, String hash) {

    public static CacheableDocument of(String contentType, byte[] bytes) {
        String hash =
                HexFormat.of().formatHex(Sha256.digest(bytes), 0, 16).toUpperCase(Locale.ROOT);
        return new CacheableDocument(contentType, bytes, hash);
    }

    public static CacheableDocument json(JsonNode document) {
        return json(MediaTypes.JSON, document);
    }

    public static CacheableDocument json(String contentType, JsonNode document) {
        return of(contentType, Json.MAPPER.writeValueAsBytes(document));
    }

    /** Responds with the document, or with 304 when the client has it. */
    public void send(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String tag = '"' + hash + '"';
        response.setHeader("ETag", tag);
        response.setHeader("Vary", "Accept");
        String known = request.getHeader("If-None-Match");
        if (known != null
                && Arrays.stream(known.split(",", -1)).anyMatch(k -> isSame(k.strip(), tag))) {
            response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
            return;
        }
        Responses.bytes(response, 200, contentType, bytes);
    }

    private static boolean isSame(String known, String tag) {
        return known.equals("*") || known.equals(tag) || known.equals("W/" + tag);
    }
}
