package dev.orloj.runtime.pod;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.cluster.ClusterClient;
import dev.orloj.runtime.cluster.ClusterException;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Sends the requests over HTTPS with the token of a service account. Thread-safe. */
final class HttpClusterApi implements ClusterApi {

    /** The API server ends a watch after this time, and sends a bookmark about once a minute. */
    private static final Duration WATCH_PERIOD = Duration.ofMinutes(4);

    /** A watch without any message for this long counts as lost. */
    private static final Duration SILENCE = Duration.ofSeconds(150);

    private static final int PAGE = 500;

    private final ClusterClient client;

    /** URL of the namespace, which ends with a slash. */
    private final URI namespace;

    private final ScheduledThreadPoolExecutor timer =
            new ScheduledThreadPoolExecutor(
                    1, Thread.ofPlatform().daemon().name("orloj-cluster-timer").factory());

    /**
     * @throws ClusterException when the service account cannot be read
     */
    HttpClusterApi(PodSettings settings) {
        this.client = new ClusterClient(settings.server(), settings.serviceAccount());
        this.namespace =
                settings.server().resolve("/api/v1/namespaces/" + settings.namespace() + "/");
        timer.setRemoveOnCancelPolicy(true);
    }

    @Override
    public String name() {
        return client.name();
    }

    @Override
    public JsonNode create(String resource, Map<String, ?> object) {
        return client.create(path(resource), object);
    }

    @Override
    public Optional<JsonNode> find(String resource, String name) {
        return client.find(path(resource + "/" + name));
    }

    @Override
    public void deletePod(String name, Duration grace) {
        try {
            client.send(
                    client.request(
                                    path(
                                            "pods/%s?gracePeriodSeconds=%d"
                                                    .formatted(name, grace.toSeconds())))
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
        client.delete(
                path("pods/" + name),
                Map.of(
                        "apiVersion",
                        "v1",
                        "kind",
                        "DeleteOptions",
                        "gracePeriodSeconds",
                        grace.toSeconds(),
                        "preconditions",
                        Map.of("resourceVersion", version)));
    }

    @Override
    public void patchPod(String name, Map<String, ?> change) {
        client.patch(path("pods/" + name), change);
    }

    private String path(String rest) {
        return namespace.getPath() + rest;
    }

    @Override
    public Pods list(String labelSelector) {
        List<JsonNode> items = new ArrayList<>();
        String next = "";
        while (true) {
            JsonNode page =
                    client.send(
                            client.request(
                                            path(
                                                    "pods?limit=%d&labelSelector=%s&continue=%s"
                                                            .formatted(
                                                                    PAGE,
                                                                    ClusterClient.encode(
                                                                            labelSelector),
                                                                    ClusterClient.encode(next))))
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
                client.request(
                                path(
                                        "pods?watch=true&allowWatchBookmarks=true&timeoutSeconds=%d&labelSelector=%s&resourceVersion=%s"
                                                .formatted(
                                                        WATCH_PERIOD.toSeconds(),
                                                        ClusterClient.encode(labelSelector),
                                                        ClusterClient.encode(resourceVersion))))
                        .GET()
                        .build();
        try (InputStream body = client.http().send(request, BodyHandlers.ofInputStream()).body()) {
            read(body, changes);
        } catch (IOException | UncheckedIOException | JacksonException e) {
            throw client.noAnswer(e);
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
                    throw client.refused(object.isMissingNode() ? event : object);
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
        command.forEach(word -> words.append("&command=").append(ClusterClient.encode(word)));
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
                client.http()
                        .newWebSocketBuilder()
                        .connectTimeout(ClusterClient.CONNECT_TIMEOUT)
                        .header("Authorization", client.authorization()),
                url,
                subresource);
        return streams;
    }

    @Override
    public void close() {
        client.close();
        timer.shutdownNow();
    }
}
