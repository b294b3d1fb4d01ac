package dev.orloj.runtime.container.spec;

import java.util.Map;

/**
 * The labels that distinguish containers and networks of orlojd from all others. Immutable.
 *
 * @param replica the orlojd, unchanged after a restart
 * @param instance the current run of orlojd
 */
public record ContainerLabels(String replica, String instance) {

    public static final String MANAGED = "orloj.dev/managed";
    public static final String NAMESPACE = "orloj.dev/namespace";
    public static final String SERVER = "orloj.dev/server";
    public static final String UID = "orloj.dev/uid";
    public static final String REPLICA = "orloj.dev/replica";
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

    /** Returns the labels of everything that belongs to this orlojd, in any run. */
    public Map<String, String> ofReplica() {
        return Map.of(MANAGED, "true", REPLICA, replica);
    }
}
