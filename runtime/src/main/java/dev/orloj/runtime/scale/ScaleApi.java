package dev.orloj.runtime.scale;

import dev.orloj.api.pod.ScaleTargetRef;
import dev.orloj.runtime.cluster.ClusterException;

import java.util.Optional;

/**
 * The requests to the Kubernetes API that scaling requires, in one namespace of the cluster. Each
 * throws a {@link ClusterException} when it fails; one that the service account may not do names
 * the missing rule. Thread-safe.
 */
interface ScaleApi extends AutoCloseable {

    /** The label with which the owner of a workload allows orlojd to scale it. */
    String LABEL = "orloj.dev/scale";

    /**
     * A workload.
     *
     * @param replicas as wanted
     * @param ready how many of them are ready
     * @param allowed whether it has the label
     * @param version its resource version, which is that of its scale, too
     */
    record Workload(int replicas, int ready, boolean allowed, String version) {}

    /** Returns the namespace of the targets. */
    String namespace();

    Optional<Workload> find(ScaleTargetRef target);

    /**
     * Sets the number of replicas.
     *
     * @param version of the workload as it was read
     * @throws ClusterException also when it has changed since
     */
    void scale(ScaleTargetRef target, int replicas, String version);

    /** Returns the resource version of the Lease of a target; empty if there is none. */
    String leaseVersion(ScaleTargetRef target);

    /** Renews the Lease of a target, or creates it. */
    void renewLease(ScaleTargetRef target);

    /** Deletes the Lease of a target. One that does not exist is no error. */
    void deleteLease(ScaleTargetRef target);

    @Override
    void close();
}
