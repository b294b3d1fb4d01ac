package dev.orloj.runtime.cluster;

import dev.orloj.api.codec.Json;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends requests to the API server of a cluster, over HTTPS and with the token of a service
 * account. Thread-safe.
 */
public final class ClusterClient implements AutoCloseable {

    /** How long the API server may take to accept a connection. */
    public static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    /** How long the API server may take to answer a request. */
    public static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);

    private static final int MAX_ANSWER_BYTES = 64 * 1024 * 1024;
    private static final int FIRST_ERROR_STATUS = 400;

    private final ServiceAccountFiles account;
    private final URI server;
    private final ExecutorService threads =
            Executors.newThreadPerTaskExecutor(
                    Thread.ofVirtual().name("orloj-cluster-", 0).factory());
    private final HttpClient client;

    /**
     * @param server URL of the API server
     * @param serviceAccount folder with {@code token} and {@code ca.crt}; the token is read again
     *     for each request, because the kubelet renews it
     * @throws ClusterException when the service account cannot be read
     */
    public ClusterClient(URI server, Path serviceAccount) {
        this.account = new ServiceAccountFiles(serviceAccount);
        this.server = server;
        this.client =
                HttpClient.newBuilder()
                        // The JDK does not notice that a connection of HTTP/2 is dead, and would
                        // send each further request over it. With HTTP/1.1, a request that times
                        // out ends its own connection.
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(CONNECT_TIMEOUT)
                        .sslContext(account.trust())
                        .executor(threads)
                        .build();
    }

    /** Returns the name of the cluster for messages. */
    public String name() {
        return "API server " + server.getAuthority();
    }

    /** Returns the client for exchanges other than a request with one answer. */
    public HttpClient http() {
        return client;
    }

    /** Returns the value of the header {@code Authorization}. */
    public String authorization() {
        return "Bearer " + account.token();
    }

    /**
     * Returns a request with credentials.
     *
     * @param path on the API server, with the query
     */
    public HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(server.resolve(path))
                .timeout(REQUEST_TIMEOUT)
                .header("Accept", "application/json")
                .header("Authorization", authorization());
    }

    /**
     * Reads an object.
     *
     * @return empty when it does not exist
     * @throws ClusterException when the API server refuses or does not answer
     */
    public Optional<JsonNode> find(String path) {
        try {
            return Optional.of(send(request(path).GET().build()));
        } catch (ClusterException e) {
            if (e.isNotFound()) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * Creates an object.
     *
     * @return the object as the API server stored it
     * @throws ClusterException when the API server refuses or does not answer
     */
    public JsonNode create(String path, Map<String, ?> object) {
        return send("POST", path, "application/json", object);
    }

    /**
     * Changes fields of an object.
     *
     * @param change a JSON merge patch
     * @throws ClusterException when the API server refuses or does not answer
     */
    public void patch(String path, Map<String, ?> change) {
        send("PATCH", path, "application/merge-patch+json", change);
    }

    /**
     * Deletes an object.
     *
     * @param options those of Kubernetes
     * @throws ClusterException when the API server refuses or does not answer
     */
    public void delete(String path, Map<String, ?> options) {
        send("DELETE", path, "application/json", options);
    }

    private JsonNode send(String method, String path, String type, Map<String, ?> body) {
        return send(
                request(path)
                        .header("Content-Type", type)
                        .method(
                                method,
                                HttpRequest.BodyPublishers.ofByteArray(
                                        Json.MAPPER.writeValueAsBytes(body)))
                        .build());
    }

    /**
     * Sends a request and returns the answer.
     *
     * @throws ClusterException when the API server refuses or does not answer
     */
    public JsonNode send(HttpRequest request) {
        try {
            HttpResponse<byte[]> response = answer(request);
            JsonNode answer = Json.MAPPER.readTree(response.body());
            if (response.statusCode() >= FIRST_ERROR_STATUS) {
                throw answer.path("message").isString()
                        ? refused(answer)
                        : refused(response.statusCode(), "no message");
            }
            return answer;
        } catch (IOException | JacksonException e) {
            throw noAnswer(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw noAnswer(e);
        }
    }

    /** The timeout of a request ends with the headers of its answer; this one covers the body. */
    private HttpResponse<byte[]> answer(HttpRequest request)
            throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<byte[]>> exchange =
                client.sendAsync(
                        request,
                        BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_ANSWER_BYTES));
        try {
            return exchange.get(REQUEST_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure
                    ? failure
                    : new IOException(e.getCause());
        } catch (TimeoutException e) {
            throw new HttpTimeoutException(
                    "no complete answer within %d s".formatted(REQUEST_TIMEOUT.toSeconds()));
        } finally {
            exchange.cancel(true);
        }
    }

    /** Returns the failure that a {@code Status} of Kubernetes reports. */
    public ClusterException refused(JsonNode status) {
        return refused(status.path("code").asInt(0), status.path("message").asString(""));
    }

    private ClusterException refused(int code, String message) {
        return new ClusterException(
                code, "The %s answered %d: %s".formatted(name(), code, message), null);
    }

    /** Returns the failure of a request without an answer that can be read. */
    public ClusterException noAnswer(Exception cause) {
        String why = cause.getMessage();
        return new ClusterException(
                ClusterException.NO_ANSWER,
                "The %s did not answer: %s"
                        .formatted(name(), why == null ? cause.getClass().getSimpleName() : why),
                cause);
    }

    /** Encodes a value of a query. */
    public static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        client.shutdownNow();
        threads.shutdown();
    }
}
