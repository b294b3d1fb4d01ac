package dev.orloj.runtime.pod;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * An API server and a node in memory. Pods run as soon as they are created, unless a test changes
 * that.
 */
final class FakeCluster implements ClusterApi {

    private static final Change END = new Change("END", Json.MAPPER.createObjectNode());

    private final Map<String, ObjectNode> pods = new TreeMap<>();
    private final List<BlockingQueue<Change>> watches = new CopyOnWriteArrayList<>();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    final Map<String, JsonNode> secrets = new ConcurrentHashMap<>();
    final List<String> deletions = new CopyOnWriteArrayList<>();
    final Map<String, PodStreams> attached = new ConcurrentHashMap<>();

    /** What an admission webhook makes of a Pod. */
    volatile UnaryOperator<ObjectNode> webhook = pod -> pod;

    /** What the node makes of a Pod that was created: its status. */
    volatile String status = running();

    /** What is answered to each request; empty while the API server works. */
    volatile String outage = "";

    /** What is answered to each deletion; empty while deletions work. */
    volatile String refusedDeletion = "";

    /** Whether the answer to the creation of a Pod is lost, and the Pod stored afterwards. */
    volatile boolean losesCreation = false;

    /** Whether the API server ends each watch at once. */
    volatile boolean endsWatches = false;

    /** The uid of the ConfigMap that owns the Pods. */
    volatile String owner = "uid-of-owner";

    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger lists = new AtomicInteger();
    private final List<ObjectNode> late = new ArrayList<>();
    private long version = 0;

    static String running() {
        return """
        {"phase": "Running", "containerStatuses": [{"name": "server", "containerID": "containerd://c0ffee",
          "imageID": "registry.example/mcp@sha256:1234", "state": {"running": {}}}]}
        """;
    }

    static String waiting(String reason, String message) {
        return """
        {"phase": "Pending", "containerStatuses": [{"name": "server", "state": {"waiting":
          {"reason": "%s", "message": "%s"}}}]}
        """
                .formatted(reason, message);
    }

    static String terminated(int exitCode, String reason, String message) {
        return """
        {"phase": "Failed", "containerStatuses": [{"name": "server", "state": {"terminated":
          {"exitCode": %d, "reason": "%s", "message": "%s"}}}]}
        """
                .formatted(exitCode, reason, message);
    }

    static String unschedulable(String message) {
        return """
        {"phase": "Pending", "conditions": [{"type": "PodScheduled", "status": "False",
          "reason": "Unschedulable", "message": "%s"}]}
        """
                .formatted(message);
    }

    @Override
    public String name() {
        return "API server fake:443";
    }

    private void requireUp() {
        if (!outage.isEmpty()) {
            refused.incrementAndGet();
            throw new ClusterException(ClusterException.NO_ANSWER, outage, null);
        }
    }

    /** Returns the number of requests that were not answered. */
    int refused() {
        return refused.get();
    }

    /** Returns the number of lists that were answered. */
    int lists() {
        return lists.get();
    }

    /** Removes a Pod while no watch is open. */
    synchronized void forget(String name) {
        pods.remove(name);
        version++;
    }

    /** Adds a Pod that this test did not start. */
    synchronized void add(String name, String replica) {
        ObjectNode pod = Json.MAPPER.createObjectNode();
        pod.putObject("metadata")
                .put("name", name)
                .putObject("labels")
                .put("orloj.dev/managed", "true")
                .put("orloj.dev/replica", replica);
        store(pod, "ADDED");
    }

    @Override
    public synchronized JsonNode create(String resource, Map<String, ?> object) {
        requireUp();
        ObjectNode stored = Json.MAPPER.valueToTree(object);
        String name = name(stored);
        if (resource.equals("secrets")) {
            secrets.put(name, stored);
            return stored;
        }
        ObjectNode pod = webhook.apply(stored);
        ((ObjectNode) pod.path("metadata")).put("uid", "uid-of-" + name);
        if (losesCreation) {
            late.add(pod.deepCopy());
            throw new ClusterException(ClusterException.NO_ANSWER, "timed out", null);
        }
        store(pod.deepCopy(), "ADDED");
        change(name, status);
        return pod;
    }

    /** Stores the Pods whose creation was answered by nothing. */
    synchronized void storeLate() {
        late.forEach(pod -> store(pod, "ADDED"));
        late.clear();
    }

    /** Changes the status of a Pod. */
    synchronized void change(String name, String newStatus) {
        ObjectNode pod = pods.get(name).deepCopy();
        pod.set("status", Json.MAPPER.readTree(newStatus));
        store(pod, "MODIFIED");
    }

    private void store(ObjectNode pod, String type) {
        version++;
        ((ObjectNode) pod.path("metadata")).put("resourceVersion", Long.toString(version));
        pods.put(name(pod), pod);
        watches.forEach(watch -> watch.add(new Change(type, pod)));
    }

    private static String name(JsonNode object) {
        return object.at("/metadata/name").asString();
    }

    @Override
    public Optional<JsonNode> find(String resource, String name) {
        requireUp();
        return resource.equals("configmaps") && name.equals("orloj-pods")
                ? Optional.of(
                        Json.MAPPER.readTree("{\"metadata\": {\"uid\": \"%s\"}}".formatted(owner)))
                : Optional.empty();
    }

    @Override
    public synchronized void deletePod(String name, Duration grace) {
        requireUp();
        if (!refusedDeletion.isEmpty()) {
            refused.incrementAndGet();
            throw new ClusterException(500, refusedDeletion, null);
        }
        deletions.add(name);
        ObjectNode pod = pods.remove(name);
        secrets.remove(name);
        if (pod != null) {
            watches.forEach(watch -> watch.add(new Change("DELETED", pod)));
        }
    }

    synchronized List<String> names() {
        return new ArrayList<>(pods.keySet());
    }

    synchronized JsonNode pod(String name) {
        return pods.get(name);
    }

    @Override
    public synchronized Pods list(String labelSelector) {
        requireUp();
        lists.incrementAndGet();
        List<JsonNode> found = new ArrayList<>();
        for (JsonNode pod : pods.values()) {
            JsonNode labels = pod.at("/metadata/labels");
            boolean matches = true;
            for (String term : labelSelector.split(",")) {
                String[] pair = term.split("=", 2);
                matches &= labels.path(pair[0]).asString("").equals(pair[1]);
            }
            if (matches) {
                found.add(pod);
            }
        }
        return new Pods(found, Long.toString(version));
    }

    @Override
    public void watch(String labelSelector, String resourceVersion, Consumer<Change> changes)
            throws InterruptedException {
        if (endsWatches) {
            return;
        }
        BlockingQueue<Change> watch = new LinkedBlockingQueue<>();
        synchronized (this) {
            requireUp();
            if (Long.parseLong(resourceVersion) < version) {
                throw new ClusterException(410, "too old resource version", null);
            }
            watches.add(watch);
        }
        try {
            for (Change next = watch.take(); next != END; next = watch.take()) {
                changes.accept(next);
            }
            requireUp();
        } finally {
            watches.remove(watch);
        }
    }

    /** Ends all watches, as an API server does that is restarted. */
    void endWatches() {
        watches.forEach(watch -> watch.add(END));
    }

    @Override
    public PodStreams attach(String pod) {
        requireUp();
        PodStreams streams = new PodStreams(timer);
        attached.put(pod, streams);
        return streams;
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
