package dev.orloj.runtime.pod;

import dev.orloj.api.codec.Json;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Sends the requests over HTTPS with the token of a service account. Thread-safe. */
final class HttpClusterApi implements ClusterApi {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);

    /** The API server ends a watch after this time, and sends a bookmark about once a minute. */
    private static final Duration WATCH_PERIOD = Duration.ofMinutes(4);

    /** A watch without any message for this long counts as lost. */
    private static final Duration SILENCE = Duration.ofSeconds(150);

    private static final int PAGE = 500;
    private static final int MAX_ANSWER_BYTES = 64 * 1024 * 1024;
    private static final int FIRST_ERROR_STATUS = 400;

    private final ServiceAccount account;
    private final URI namespace;
    private final ExecutorService threads =
            Executors.newThreadPerTaskExecutor(
                    Thread.ofVirtual().name("orloj-cluster-", 0).factory());
    private final ScheduledThreadPoolExecutor timer =
            new ScheduledThreadPoolExecutor(
                    1, Thread.ofPlatform().daemon().name("orloj-cluster-timer").factory());
    private final HttpClient client;

    /**
     * @throws ClusterException when the service account cannot be read
     */
    HttpClusterApi(PodSettings settings) {
        this.account = new ServiceAccount(settings.serviceAccount());
        this.namespace =
                settings.server().resolve("/api/v1/namespaces/" + settings.namespace() + "/");
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
        timer.setRemoveOnCancelPolicy(true);
    }

    @Override
    public String name() {
        return "API server " + namespace.getAuthority();
    }

    @Override
    public JsonNode create(String resource, Map<String, ?> object) {
        return send(
                request(resource)
                        .header("Content-Type", "application/json")
                        .POST(json(object))
                        .build());
    }

    @Override
    public Optional<JsonNode> find(String resource, String name) {
        try {
            return Optional.of(send(request(resource + "/" + name).GET().build()));
        } catch (ClusterException e) {
            if (e.isNotFound()) {
                return Optional.empty();
            }
            throw e;
        }
    }

    @Override
    public void deletePod(String name, Duration grace) {
        try {
            send(
                    request("pods/" + name + "?gracePeriodSeconds=" + grace.toSeconds())
                            .DELETE()
                            .build());
        } catch (ClusterException e) {
            if (!e.isNotFound()) {
                throw e;
            }
        }
    }

    @Override
    public void deletePod(String name, Duration grace, String version) {
        Map<String, ?> options =
                Map.of(
                        "apiVersion",
                        "v1",
                        "kind",
                        "DeleteOptions",
                        "gracePeriodSeconds",
                        grace.toSeconds(),
                        "preconditions",
                        Map.of("resourceVersion", version));
        send(
                request("pods/" + name)
                        .header("Content-Type", "application/json")
                        .method("DELETE", json(options))
                        .build());
    }

    @Override
    public void patchPod(String name, Map<String, ?> change) {
        send(
                request("pods/" + name)
                        .header("Content-Type", "application/merge-patch+json")
                        .method("PATCH", json(change))
                        .build());
    }

    private static HttpRequest.BodyPublisher json(Map<String, ?> object) {
        return HttpRequest.BodyPublishers.ofByteArray(Json.MAPPER.writeValueAsBytes(object));
    }

    @Override
    public Pods list(String labelSelector) {
        List<JsonNode> items = new ArrayList<>();
        String next = "";
        while (true) {
            JsonNode page =
                    send(
                            request(
                                            "pods?limit=%d&labelSelector=%s&continue=%s"
                                                    .formatted(
                                                            PAGE,
                                                            encode(labelSelector),
                                                            encode(next)))
                                    .GET()
                                    .build());
            page.path("items").forEach(items::add);
            next = page.at("/metadata/continue").asString("");
            if (next.isEmpty()) {
                return new Pods(items, page.at("/metadata/resourceVersion").asString(""));
            }
        }
    }

    @Override
    public void watch(String labelSelector, String resourceVersion, Consumer<Change> changes)
            throws InterruptedException {
        HttpRequest request =
                request(
                                "pods?watch=true&allowWatchBookmarks=true&timeoutSeconds=%d&labelSelector=%s&resourceVersion=%s"
                                        .formatted(
                                                WATCH_PERIOD.toSeconds(),
                                                encode(labelSelector),
                                                encode(resourceVersion)))
                        .GET()
                        .build();
        try (InputStream body = client.send(request, BodyHandlers.ofInputStream()).body()) {
            read(body, changes);
        } catch (IOException | UncheckedIOException | JacksonException e) {
            throw noAnswer(e);
        }
    }

    private void read(InputStream body, Consumer<Change> changes) {
        ScheduledFuture<?> silence = endAfterSilence(body);
        try (MappingIterator<JsonNode> events =
                Json.MAPPER.readerFor(JsonNode.class).readValues(body)) {
            while (events.hasNextValue()) {
                silence.cancel(false);
                JsonNode event = events.nextValue();
                JsonNode object = event.path("object");
                String type = event.path("type").asString("");
                if (type.equals("ERROR") || object.isMissingNode()) {
                    throw refused(status(object.isMissingNode() ? event : object));
                }
                changes.accept(new Change(type, object));
                silence = endAfterSilence(body);
            }
        } finally {
            silence.cancel(false);
        }
    }

    private ScheduledFuture<?> endAfterSilence(InputStream body) {
        return timer.schedule(
                () -> {
                    try {
                        body.close();
                    } catch (IOException e) {
                        // The reader finds out by itself.
                    }
                },
                SILENCE.toSeconds(),
                TimeUnit.SECONDS);
    }

    @Override
    public PodStreams attach(String pod) throws InterruptedException {
        return connect(pod, "attach", "");
    }

    @Override
    public PodStreams exec(String pod, List<String> command) throws InterruptedException {
        StringBuilder words = new StringBuilder();
        command.forEach(word -> words.append("&command=").append(encode(word)));
        return connect(pod, "exec", words.toString());
    }

    private PodStreams connect(String pod, String subresource, String parameters)
            throws InterruptedException {
        URI url =
                URI.create(
                        namespace.toString().replaceFirst("^http", "ws")
                                + "pods/%s/%s?container=%s&stdin=true&stdout=true&stderr=true%s"
                                        .formatted(
                                                pod,
                                                subresource,
                                                PodManifest.CONTAINER,
                                                parameters));
        PodStreams streams = new PodStreams(timer);
        streams.open(
                client.newWebSocketBuilder()
                        .connectTimeout(CONNECT_TIMEOUT)
                        .header("Authorization", "Bearer " + account.token()),
                url,
                subresource);
        return streams;
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(namespace.resolve(path))
                .timeout(REQUEST_TIMEOUT)
                .header("Accept", "application/json")
                .header("Authorization", "Bearer " + account.token());
    }

    private JsonNode send(HttpRequest request) {
        try {
            HttpResponse<byte[]> response = answer(request);
            JsonNode answer = Json.MAPPER.readTree(response.body());
            if (response.statusCode() >= FIRST_ERROR_STATUS) {
                throw refused(
                        answer.path("message").isString()
                                ? status(answer)
                                : new Status(response.statusCode(), "no message"));
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

    private record Status(int code, String message) {}

    private static Status status(JsonNode status) {
        return new Status(status.path("code").asInt(0), status.path("message").asString(""));
    }

    private ClusterException refused(Status status) {
        return new ClusterException(
                status.code(),
                "The %s answered %d: %s".formatted(name(), status.code(), status.message()),
                null);
    }

    private ClusterException noAnswer(Exception cause) {
        String why = cause.getMessage();
        return new ClusterException(
                ClusterException.NO_ANSWER,
                "The %s did not answer: %s"
                        .formatted(name(), why == null ? cause.getClass().getSimpleName() : why),
                cause);
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        client.shutdownNow();
        timer.shutdownNow();
        threads.shutdown();
    }
}
