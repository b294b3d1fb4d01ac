package dev.orloj.runtime.container.network;

import dev.orloj.api.Frozen;
import dev.orloj.runtime.container.spec.ContainerOwner;
import dev.orloj.runtime.container.spec.NetworkAccess;
import dev.orloj.runtime.workload.WorkloadException;

import java.util.Map;

/** Networks that containers are put in. Safe for many threads. */
public interface ContainerNetworks {

    /**
     * What a container has to be created with.
     *
     * @param name of a network of the engine
     * @param env variables that the container gets beside its own, such as those of a proxy
     */
    record Attachment(String name, Map<String, String> env) {

        public Attachment {
            env = Frozen.map(env);
        }
    }

    /**
     * Makes the network ready, its rules included. Called before each container is created, so it
     * costs next to nothing when the network is there.
     *
     * @throws WorkloadException when the rules cannot be enforced on this host; the container is
     *     not started then
     */
    Attachment prepare(ContainerOwner owner, NetworkAccess access) throws InterruptedException;

    /** Removes what was made for an owner, as soon as its containers are gone. */
    void remove(ContainerOwner owner);
}
