package dev.orloj.server.rest;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A plain HTTP client: what it sends is what a test says, what it gets is left as it is. */
public final class HttpProbe {

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static final Map<String, String> KINDS =
            Map.of(
                    "mcpservers", "McpServer",
                    "tools", "Tool",
                    "sandboxes", "Sandbox",
                    "secrets", "Secret");

    private static final Pattern RESOURCE =
            Pattern.compile(
                    "/apis/orloj\\.dev/v1/(?:namespaces/[^/]+/)?(mcpservers|tools|sandboxes|secrets)"
                        + "(?:/[^/?]+)?(?:/status)?(?:\\?|$)");

    private final URI base;

    HttpProbe(int port) {
        this.base = URI.create("http://127.0.0.1:" + port);
    }

    /** An answer with its body read. */
    public record Answer(HttpResponse<byte[]> response) {

        public int code() {
            return response.statusCode();
        }

        public String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }

        public String text() {
            return new String(response.body(), StandardCharsets.UTF_8);
        }

        public JsonNode json() {
            return Json.MAPPER.readTree(response.body());
        }

        /** The text at a JSON pointer. */
        public String at(String pointer) {
            JsonNode node = json().at(pointer);
            return node.isValueNode() ? node.asString() : node.toString();
        }
    }

    public Answer get(String path, String... headers) {
        return send("GET", path, "", headers);
    }

    public Answer post(String path, String body, String... headers) {
        return send("POST", path, withKind(path, body), headers);
    }

    public Answer put(String path, String body, String... headers) {
        return send("PUT", path, withKind(path, body), headers);
    }

    /** A document that does not say its kind gets it, unless it goes by {@link #send}. */
    private static String withKind(String path, String body) {
        Matcher resource = RESOURCE.matcher(path);
        if (!resource.lookingAt() || !body.startsWith("{") || body.contains("\"kind\":")) {
            return body;
        }
        String kind = "\"kind\": \"%s\"".formatted(KINDS.get(resource.group(1)));
        String rest = body.substring(1).strip();
        return "{" + kind + (rest.startsWith("}") ? "" : ", ") + rest;
    }

    public Answer mergePatch(String path, String body) {
        return send("PATCH", path, body, "Content-Type", "application/merge-patch+json");
    }

    public Answer jsonPatch(String path, String body) {
        return send("PATCH", path, body, "Content-Type", "application/json-patch+json");
    }

    public Answer delete(String path) {
        return send("DELETE", path, "");
    }

    public Answer send(String method, String path, String body, String... headers) {
        return send(method, path, body.getBytes(StandardCharsets.UTF_8), headers);
    }

    public Answer send(String method, String path, byte[] body, String... headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(base + path))
                        .timeout(Duration.ofSeconds(30))
                        .method(
                                method,
                                body.length == 0
                                        ? HttpRequest.BodyPublishers.noBody()
                                        : HttpRequest.BodyPublishers.ofByteArray(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return new Answer(
                    CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofByteArray()));
        } catch (IOException e) {
            throw new UncheckedIOException(method + " " + path, e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** An answer that goes on; closing the stream hangs up. */
    public HttpResponse<Stream<String>> open(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofLines());
        } catch (IOException e) {
            throw new UncheckedIOException(path, e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
