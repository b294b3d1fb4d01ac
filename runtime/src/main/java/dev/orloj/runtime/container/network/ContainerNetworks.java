package dev.orloj.runtime.container.network;

import dev.orloj.api.Frozen;
import dev.orloj.runtime.container.spec.ContainerOwner;
import dev.orloj.runtime.container.spec.NetworkAccess;
import dev.orloj.runtime.workload.WorkloadException;

import java.util.Map;

/** Prepares the networks of containers. Thread-safe. */
public interface ContainerNetworks {

    /**
     * The network settings with which a container is created.
     *
     * @param name name of a network of the engine
     * @param env variables that the container gets in addition to its own, such as those of a proxy
     */
    record Attachment(String name, Map<String, String> env) {

        public Attachment {
            env = Frozen.map(env);
        }
    }

    /**
     * Prepares the network and its rules. Called before each container is created, so it is cheap
     * if the network exists.
     *
     * @throws WorkloadException when the rules cannot be enforced on this host; the container is
     *     then not started
     */
    Attachment prepare(ContainerOwner owner, NetworkAccess access) throws InterruptedException;

    /** Removes the networks of an owner as soon as its containers are gone. */
    void remove(ContainerOwner owner);
}
