package dev.orloj.runtime.container.spec;

import java.util.Map;

/**
 * What containers and networks of orlojd are labelled with, by which they are told from everybody
 * else's. Immutable.
 *
 * @param replica the orlojd, the same after a restart
 * @param instance this run of it
 */
public record ContainerLabels(String replica, String instance) {

    static final String MANAGED = "orloj.dev/managed";
    static final String NAMESPACE = "orloj.dev/namespace";
    static final String SERVER = "orloj.dev/server";
    static final String UID = "orloj.dev/uid";
    static final String REPLICA = "orloj.dev/replica";
    public static final String INSTANCE = "orloj.dev/instance";

    public Map<String, String> of(ContainerOwner owner) {
        return Map.of(
                MANAGED,
                "true",
                NAMESPACE,
                owner.namespace(),
                SERVER,
                owner.server(),
                UID,
                owner.uid(),
                REPLICA,
                replica,
                INSTANCE,
                instance);
    }

    /** Those of all that belongs to this orlojd, in whichever run. */
    public Map<String, String> ofReplica() {
        return Map.of(MANAGED, "true", REPLICA, replica);
    }
}
