package dev.orloj.runtime.pod;

import dev.orloj.runtime.cluster.ClusterException;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The requests to the Kubernetes API that Pods of servers require, in one namespace of the cluster.
 * Each throws a {@link ClusterException} when it fails. Thread-safe.
 */
interface ClusterApi extends AutoCloseable {

    /**
     * The Pods at one resource version.
     *
     * @param resourceVersion from which a watch continues
     */
    record Pods(List<JsonNode> items, String resourceVersion) {

        public Pods {
            items = List.copyOf(items);
        }
    }

    /**
     * A change of a Pod.
     *
     * @param type {@code ADDED}, {@code MODIFIED}, {@code DELETED} or {@code BOOKMARK}
     * @param pod the Pod after the change; for a deletion, its last state
     */
    record Change(String type, JsonNode pod) {}

    /** Returns the name of this cluster for messages. */
    String name();

    /**
     * Creates an object.
     *
     * @param resource plural of the kind: {@code pods} or {@code secrets}
     * @return the object as the API server stored it
     */
    JsonNode create(String resource, Map<String, ?> object);

    Optional<JsonNode> find(String resource, String name);

    /**
     * Deletes a Pod. A Pod that does not exist is no error.
     *
     * @param grace the time between SIGTERM and SIGKILL, in whole seconds. Zero is for Pods that
     *     have ended: it removes the object without waiting for the node.
     */
    void deletePod(String name, Duration grace);

    /**
     * Deletes a Pod as above, if it has not changed.
     *
     * @param version of the Pod as it was read
     * @throws ClusterException also when it has changed since
     */
    void deletePod(String name, Duration grace, String version);

    /**
     * Changes fields of a Pod.
     *
     * @param change a JSON merge patch; with a resource version, it applies to this version only
     * @throws ClusterException also when the Pod has changed since, or does not exist
     */
    void patchPod(String name, Map<String, ?> change);

    Pods list(String labelSelector);

    /**
     * Reports changes of Pods until the API server ends the watch.
     *
     * @throws ClusterException also when the resource version is too old
     */
    void watch(String labelSelector, String resourceVersion, Consumer<Change> changes)
            throws InterruptedException;

    /** Attaches to the standard streams of the container of a running Pod. */
    PodStreams attach(String pod) throws InterruptedException;

    /**
     * Runs a program in the container of a running Pod, with standard streams of its own. A program
     * that cannot be run is no error here: {@link PodStreams#status} has it at the end.
     */
    PodStreams exec(String pod, List<String> command) throws InterruptedException;

    @Override
    void close();
}
