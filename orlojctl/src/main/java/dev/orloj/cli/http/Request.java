package dev.orloj.cli.http;

import org.jspecify.annotations.Nullable;

import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * One request, built step by step.
 *
 * @param path path and query, encoded
 * @param body JSON, or null for none
 * @param timeout limit of the time to the next byte of the response; null for that of the
 *     connection
 * @param listener null for none
 * @param headers additional headers
 * @param upload a body instead of {@code body}; null for none
 */
public record Request(
        String method,
        String path,
        String accept,
        byte @Nullable [] body,
        @Nullable Duration timeout,
        @Nullable HeaderListener listener,
        Map<String, String> headers,
        @Nullable Upload upload) {

    /**
     * A body of any length, which is read while it is sent.
     *
     * @param type its media type
     */
    public record Upload(String type, InputStream content) {}

    /** Receives a header of the response, whether it is a success or an error. */
    public record HeaderListener(String header, Consumer<String> consumer) {}

    public static final String JSON = "application/json";
    public static final String TABLE =
            "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";

    public static Request get(String path) {
        return new Request("GET", path, JSON, null, null, null, Map.of(), null);
    }

    public static Request of(String method, String path, byte[] body) {
        return new Request(method, path, JSON, body, null, null, Map.of(), null);
    }

    /** Returns a POST whose body is sent in chunks. */
    public static Request upload(String path, Upload upload) {
        return new Request("POST", path, JSON, null, null, null, Map.of(), upload);
    }

    public Request accepting(String types) {
        return new Request(method, path, types, body, timeout, listener, headers, upload);
    }

    public Request waiting(Duration time) {
        return new Request(method, path, accept, body, time, listener, headers, upload);
    }

    public Request withHeaderListener(String header, Consumer<String> consumer) {
        return new Request(
                method,
                path,
                accept,
                body,
                timeout,
                new HeaderListener(header, consumer),
                headers,
                upload);
    }

    /** Returns the request with a parameter, unless its value is empty. */
    public Request with(String name, String value) {
        if (value.isEmpty()) {
            return this;
        }
        String separator = path.indexOf('?') < 0 ? "?" : "&";
        return new Request(
                method,
                path + separator + name + "=" + encode(value),
                accept,
                body,
                timeout,
                listener,
                headers,
                upload);
    }

    public Request withHeader(String name, String value) {
        Map<String, String> all = new TreeMap<>(headers);
        all.put(name, value);
        return new Request(method, path, accept, body, timeout, listener, all, upload);
    }

    /** Encodes a text for a path or a query. */
    public static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
