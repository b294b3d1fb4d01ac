package dev.orloj.runtime.pod;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.cluster.ClusterException;

import org.jspecify.annotations.Nullable;

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
import java.util.concurrent.CountDownLatch;
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
    private final List<Watch> watches = new CopyOnWriteArrayList<>();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    final Map<String, JsonNode> secrets = new ConcurrentHashMap<>();
    final List<String> deletions = new CopyOnWriteArrayList<>();
    final Map<String, PodStreams> attached = new ConcurrentHashMap<>();

    /** What the container of each Pod reads and writes. */
    final Map<String, FakeContainer> containers = new ConcurrentHashMap<>();

    /** Watches begin when it is open; they report what has changed since their version. */
    volatile CountDownLatch watchesBegin = new CountDownLatch(0);

    private final List<Stored> history = new ArrayList<>();

    private record Stored(long version, String type, @Nullable ObjectNode before, ObjectNode pod) {}

    private record Watch(String selector, BlockingQueue<Change> changes) {}

    /** The commands of all programs that were run in Pods. */
    final List<List<String>> commands = new CopyOnWriteArrayList<>();

    private final Map<String, List<FakeExec>> execs = new ConcurrentHashMap<>();

    /** Why the node cannot run a program in a container; empty while it can. */
    volatile String execFailure = "";

    /** What an admission webhook makes of a Pod. */
    volatile UnaryOperator<ObjectNode> webhook = pod -> pod;

    /** What the node makes of a Pod that was created: its status. */
    volatile String status = running();

    /** What is answered to each request; empty while the API server works. */
    volatile String outage = "";

    /** What is answered to each deletion; empty while deletions work. */
    volatile String refusedDeletion = "";

    /** What is answered to each change of a Pod; empty while they work. */
    volatile String refusedPatch = "";

    /** How many attachments are refused. */
    final AtomicInteger refusedAttachments = new AtomicInteger();

    /** What happens in the cluster before the next change of a Pod. */
    volatile Runnable beforePatch = () -> {};

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

    /** Removes a Pod as the controller of nodes does: its programs and connections go on. */
    synchronized void loseNode(String name) {
        ObjectNode pod = pods.remove(name).deepCopy();
        pod.set(
                "status",
                Json.MAPPER.readTree(
                        """
                        {"phase": "Running", "conditions": [{"type": "DisruptionTarget",
                          "status": "True", "reason": "DeletionByTaintManager"}]}
                        """));
        version++;
        watches.stream()
                .filter(watch -> matches(pod, watch.selector()))
                .forEach(watch -> watch.changes().add(new Change("DELETED", pod)));
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
        ((ObjectNode) pod.path("metadata"))
                .put("uid", "uid-of-" + name)
                .put("creationTimestamp", "2026-01-02T03:04:05Z");
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
        if (pod.at("/status/phase").asString("").equals("Failed")) {
            killExecs(name);
        }
        store(pod, "MODIFIED");
    }

    private void store(ObjectNode pod, String type) {
        version++;
        ((ObjectNode) pod.path("metadata")).put("resourceVersion", Long.toString(version));
        ObjectNode before = pods.put(name(pod), pod);
        history.add(new Stored(version, type, before, pod));
        watches.forEach(watch -> report(watch, type, before, pod));
    }

    /** A Pod that begins or ceases to match is added or deleted for the watch. */
    private static void report(
            Watch watch, String type, @Nullable ObjectNode before, ObjectNode after) {
        boolean matched = before != null && matches(before, watch.selector());
        if (matches(after, watch.selector())) {
            watch.changes().add(new Change(matched ? type : "ADDED", after));
        } else if (matched) {
            watch.changes().add(new Change("DELETED", before));
        }
    }

    private static boolean matches(JsonNode pod, String labelSelector) {
        JsonNode labels = pod.at("/metadata/labels");
        for (String term : labelSelector.split(",")) {
            String[] pair = term.split("=", 2);
            if (!labels.path(pair[0]).asString("absent").equals(pair[1])) {
                return false;
            }
        }
        return true;
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
        killExecs(name);
        if (pod != null) {
            watches.stream()
                    .filter(watch -> matches(pod, watch.selector()))
                    .forEach(watch -> watch.changes().add(new Change("DELETED", pod)));
        }
    }

    @Override
    public synchronized void deletePod(String name, Duration grace, String version) {
        requireUp();
        requireVersion(name, version);
        deletePod(name, grace);
    }

    private void requireVersion(String name, String version) {
        ObjectNode pod = pods.get(name);
        if (pod == null) {
            throw new ClusterException(404, "not found", null);
        }
        if (!pod.at("/metadata/resourceVersion").asString().equals(version)) {
            throw new ClusterException(409, "the object has been modified", null);
        }
    }

    @Override
    public void patchPod(String name, Map<String, ?> change) {
        Runnable first = beforePatch;
        beforePatch = () -> {};
        first.run();
        patch(name, Json.MAPPER.valueToTree(change));
    }

    private synchronized void patch(String name, JsonNode change) {
        requireUp();
        if (!refusedPatch.isEmpty()) {
            throw new ClusterException(403, refusedPatch, null);
        }
        JsonNode version = change.at("/metadata/resourceVersion");
        if (version.isString()) {
            requireVersion(name, version.asString());
        }
        ObjectNode stored = pods.get(name);
        if (stored == null) {
            throw new ClusterException(404, "not found", null);
        }
        ObjectNode pod = stored.deepCopy();
        ObjectNode metadata = (ObjectNode) pod.path("metadata");
        for (String field : List.of("labels", "annotations")) {
            if (change.path("metadata").path(field) instanceof ObjectNode changed) {
                metadata.withObjectProperty(field).setAll(changed);
            }
        }
        store(pod, "MODIFIED");
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
            if (matches(pod, labelSelector)) {
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
        Watch watch = new Watch(labelSelector, new LinkedBlockingQueue<>());
        CountDownLatch begin = watchesBegin;
        boolean waits = begin.getCount() > 0;
        begin.await();
        synchronized (this) {
            requireUp();
            long since = Long.parseLong(resourceVersion);
            if (since < version && !waits) {
                throw new ClusterException(410, "too old resource version", null);
            }
            history.stream()
                    .filter(stored -> stored.version() > since)
                    .forEach(s -> report(watch, s.type(), s.before(), s.pod()));
            watches.add(watch);
        }
        try {
            BlockingQueue<Change> queue = watch.changes();
            for (Change next = queue.take(); next != END; next = queue.take()) {
                changes.accept(next);
            }
            requireUp();
        } finally {
            watches.remove(watch);
        }
    }

    /** Ends all watches, as an API server does that is restarted. */
    void endWatches() {
        watches.forEach(watch -> watch.changes().add(END));
    }

    @Override
    public PodStreams attach(String pod) {
        requireUp();
        if (refusedAttachments.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new ClusterException(500, "the node does not answer", null);
        }
        PodStreams streams = new PodStreams(timer);
        attached.put(pod, streams);
        containers.computeIfAbsent(pod, name -> new FakeContainer()).attach(streams);
        return streams;
    }

    @Override
    public PodStreams exec(String pod, List<String> command) {
        requireUp();
        commands.add(List.copyOf(command));
        PodStreams streams = new PodStreams(timer);
        FakeExec exec = new FakeExec(streams);
        streams.begin(exec);
        if (execFailure.isEmpty()) {
            execs.computeIfAbsent(pod, name -> new CopyOnWriteArrayList<>()).add(exec);
            exec.run(command);
        } else {
            exec.fail(execFailure);
        }
        return streams;
    }

    /** Returns the programs in a Pod that run. */
    List<FakeExec> running(String pod) {
        return execs.getOrDefault(pod, List.of()).stream().filter(FakeExec::isRunning).toList();
    }

    private void killExecs(String pod) {
        execs.getOrDefault(pod, List.of()).forEach(FakeExec::kill);
    }

    @Override
    public void close() {
        execs.keySet().forEach(this::killExecs);
        timer.shutdownNow();
    }
}
