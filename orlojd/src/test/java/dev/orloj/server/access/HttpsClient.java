package dev.orloj.server.access;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import javax.net.ssl.SSLContext;

/** A client of the HTTPS port. */
final class HttpsClient {

    record Answer(int code, String text, HttpHeaders headers) {

        String header(String name) {
            return headers.firstValue(name).orElse("");
        }

        JsonNode json() {
            return Json.MAPPER.readTree(text);
        }

        String message() {
            return json().path("message").asString("");
        }
    }

    static JsonNode json(String text) {
        return Json.MAPPER.readTree(text);
    }

    private final String url;
    private final String[] headers;
    private final HttpClient client;

    HttpsClient(String url, SSLContext context) {
        this(url, context, "");
    }

    /**
     * @param token bearer token of every request; empty for none
     */
    HttpsClient(String url, SSLContext context, String token) {
        this(
                url,
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .sslContext(context)
                        .build(),
                token.isEmpty()
                        ? new String[0]
                        : new String[] {"Authorization", "Bearer " + token});
    }

    private HttpsClient(String url, HttpClient client, String[] headers) {
        this.url = url;
        this.client = client;
        this.headers = headers;
    }

    /** Returns a client that sends further headers with every request, in pairs. */
    HttpsClient with(String... more) {
        return new HttpsClient(
                url,
                client,
                Stream.concat(Stream.of(headers), Stream.of(more)).toArray(String[]::new));
    }

    /** Returns the code as soon as it is known, also for a stream that stays open. */
    int code(String method, String path) throws IOException, InterruptedException {
        HttpRequest.Builder request =
                request(path)
                        .header("Accept", "application/json, text/event-stream;q=0.9, */*;q=0.1");
        if (method.equals("GET")) {
            request.GET();
        } else {
            request.method(method, HttpRequest.BodyPublishers.ofString("{}"))
                    .header(
                            "Content-Type",
                            method.equals("PATCH")
                                    ? "application/merge-patch+json"
                                    : "application/json");
        }
        HttpResponse<InputStream> response =
                client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        response.body().close();
        return response.statusCode();
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path));
        return headers.length == 0 ? request : request.headers(headers);
    }

    /**
     * Opens a stream, which its caller closes.
     *
     * @throws IOException with the answer when there is none
     */
    InputStream open(String path, String... headers) throws IOException, InterruptedException {
        HttpResponse<InputStream> response =
                client.send(
                        request(path).headers(headers).build(),
                        HttpResponse.BodyHandlers.ofInputStream());
        if (response.statusCode() != 200) {
            throw new IOException(
                    response.statusCode()
                            + new String(response.body().readAllBytes(), StandardCharsets.UTF_8));
        }
        return response.body();
    }

    /**
     * Opens a stream with a POST, which its caller closes.
     *
     * @return the body, of whatever answer
     */
    InputStream openPost(String path, String body, String... headers)
            throws IOException, InterruptedException {
        return client.send(
                        HttpRequest.newBuilder(URI.create(url + path))
                                .POST(HttpRequest.BodyPublishers.ofString(body))
                                .header("Content-Type", "application/json")
                                .headers(headers)
                                .build(),
                        HttpResponse.BodyHandlers.ofInputStream())
                .body();
    }

    /** Sends a request whose answer comes later. */
    CompletableFuture<Answer> begin(String path, String body, String... headers) {
        return client.sendAsync(
                        HttpRequest.newBuilder(URI.create(url + path))
                                .POST(HttpRequest.BodyPublishers.ofString(body))
                                .header("Content-Type", "application/json")
                                .headers(headers)
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .thenApply(
                        response ->
                                new Answer(
                                        response.statusCode(),
                                        response.body(),
                                        response.headers()));
    }

    /** Opens a web socket. */
    void openWebSocket(String path, WebSocket.Listener listener) {
        client.newWebSocketBuilder()
                .buildAsync(URI.create(url.replaceFirst("https", "wss") + path), listener)
                .join();
    }

    Answer get(String path, String... headers) throws IOException, InterruptedException {
        return send("GET", path, "", headers);
    }

    Answer post(String path, String body, String... headers)
            throws IOException, InterruptedException {
        return send("POST", path, body, headers);
    }

    Answer send(String method, String path, String body, String... headers)
            throws IOException, InterruptedException {
        String type = method.equals("PATCH") ? "application/merge-patch+json" : "application/json";
        return send(method, path, type, body, headers);
    }

    Answer patch(String path, String type, String body) throws IOException, InterruptedException {
        return send("PATCH", path, type, body, new String[0]);
    }

    private Answer send(String method, String path, String type, String body, String[] more)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                request(path)
                        .method(method, HttpRequest.BodyPublishers.ofString(body))
                        .header("Content-Type", type);
        if (more.length > 0) {
            request.headers(more);
        }
        HttpResponse<String> response =
                client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        return new Answer(response.statusCode(), response.body(), response.headers());
    }
}
