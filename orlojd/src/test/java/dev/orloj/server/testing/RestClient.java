package dev.orloj.server.testing;

import dev.orloj.api.codec.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;

/** Speaks plain HTTP to a server and shows what came back, errors included. Thread-safe. */
public final class RestClient {

    private static final String GROUP = "/apis/orloj.dev/v1/namespaces/";

    private final String url;
    private final String token;
    private final HttpClient http = HttpClient.newHttpClient();

    public RestClient(String url) {
        this(url, "");
    }

    /**
     * @param token sent with each request; empty for none
     */
    public RestClient(String url, String token) {
        this.url = url;
        this.token = token;
    }

    /**
     * @param body the JSON of the answer; missing when it is no JSON
     * @param warnings headers of that name
     */
    public record Answer(int code, String text, JsonNode body, List<String> warnings) {

        /** The answer, when its code is the expected one. */
        public Answer expect(int expected) {
            if (code != expected) {
                throw new AssertionError("expected %d, got %d: %s".formatted(expected, code, text));
            }
            return this;
        }
    }

    /** Path of a kind's collection in a namespace. */
    public static String collection(String namespace, String plural) {
        return GROUP + namespace + "/" + plural;
    }

    /** Where the server is. */
    public String url() {
        return url;
    }

    public Answer get(String path) {
        return send("GET", path, null);
    }

    /** Gets a text, also one that says it is JSON and is several documents. */
    public String text(String path) {
        try {
            HttpResponse<String> response =
                    http.send(request(path).build(), HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new AssertionError(
                        "expected 200, got %d: %s"
                                .formatted(response.statusCode(), response.body()));
            }
            return response.body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public Answer post(String path, Object body) {
        return send("POST", path, body);
    }

    public Answer put(String path, Object body) {
        return send("PUT", path, body);
    }

    public Answer delete(String path) {
        return send("DELETE", path, null);
    }

    /** Creates what a YAML or JSON manifest describes. */
    public JsonNode create(String namespace, String plural, String manifest) {
        HttpRequest request =
                request(collection(namespace, plural))
                        .header("Content-Type", "application/yaml")
                        .POST(HttpRequest.BodyPublishers.ofString(manifest))
                        .build();
        return exchange(request).expect(201).body();
    }

    /** Applies a JSON merge patch. */
    public Answer patch(String path, String mergePatch) {
        HttpRequest request =
                request(path)
                        .header("Content-Type", "application/merge-patch+json")
                        .method("PATCH", HttpRequest.BodyPublishers.ofString(mergePatch))
                        .build();
        return exchange(request);
    }

    /** Calls a Tool by the name of its resource. */
    public Answer call(String namespace, String tool, String arguments) {
        return send(
                "POST",
                collection(namespace, "tools") + "/" + tool + "/call",
                "{\"arguments\":" + arguments + "}");
    }

    /** Sends a body of any type. */
    public Answer send(String method, String path, String body, String contentType) {
        return exchange(
                request(path)
                        .header("Content-Type", contentType)
                        .method(method, HttpRequest.BodyPublishers.ofString(body))
                        .build());
    }

    private Answer send(String method, String path, @Nullable Object body) {
        HttpRequest.BodyPublisher publisher =
                switch (body) {
                    case null -> HttpRequest.BodyPublishers.noBody();
                    case String text -> HttpRequest.BodyPublishers.ofString(text);
                    default ->
                            HttpRequest.BodyPublishers.ofByteArray(
                                    Json.MAPPER.writeValueAsBytes(body));
                };
        HttpRequest.Builder request = request(path).method(method, publisher);
        if (body != null) {
            request.header("Content-Type", "application/json");
        }
        return exchange(request.build());
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url + path)).timeout(Duration.ofSeconds(60));
        return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
    }

    private Answer exchange(HttpRequest request) {
        try {
            HttpResponse<String> response =
                    http.send(request, HttpResponse.BodyHandlers.ofString());
            return new Answer(
                    response.statusCode(),
                    response.body(),
                    parse(response),
                    response.headers().allValues("Warning"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static JsonNode parse(HttpResponse<String> response) {
        boolean isJson =
                response.headers().firstValue("Content-Type").orElse("").contains("json")
                        && !response.body().isEmpty();
        return isJson
                ? Json.MAPPER.readTree(response.body())
                : Json.MAPPER.getNodeFactory().missingNode();
    }
}
