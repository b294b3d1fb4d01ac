package dev.orloj.runtime.pod;

import dev.orloj.runtime.cluster.ClusterException;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The connection of one orlojd to a cluster that several share. Once cut, it does nothing. */
final class ClusterConnection implements ClusterApi {

    private final FakeCluster cluster;
    private volatile boolean cut = false;

    ClusterConnection(FakeCluster cluster) {
        this.cluster = cluster;
    }

    /** The orlojd is killed: nothing of it reaches the cluster any more. */
    void cut() {
        cut = true;
    }

    private FakeCluster cluster() {
        if (cut) {
            throw new ClusterException(ClusterException.NO_ANSWER, "killed", null);
        }
        return cluster;
    }

    @Override
    public String name() {
        return cluster.name();
    }

    @Override
    public JsonNode create(String resource, Map<String, ?> object) {
        return cluster().create(resource, object);
    }

    @Override
    public Optional<JsonNode> find(String resource, String name) {
        return cluster().find(resource, name);
    }

    @Override
    public void deletePod(String name, Duration grace) {
        cluster().deletePod(name, grace);
    }

    @Override
    public void deletePod(String name, Duration grace, String version) {
        cluster().deletePod(name, grace, version);
    }

    @Override
    public void patchPod(String name, Map<String, ?> change) {
        cluster().patchPod(name, change);
    }

    @Override
    public Pods list(String labelSelector) {
        return cluster().list(labelSelector);
    }

    @Override
    public void watch(String labelSelector, String resourceVersion, Consumer<Change> changes)
            throws InterruptedException {
        cluster()
                .watch(
                        labelSelector,
                        resourceVersion,
                        change -> {
                            if (!cut) {
                                changes.accept(change);
                            }
                        });
    }

    @Override
    public PodStreams attach(String pod) {
        return cluster().attach(pod);
    }

    @Override
    public PodStreams exec(String pod, List<String> command) {
        return cluster().exec(pod, command);
    }

    @Override
    public void close() {}
}
