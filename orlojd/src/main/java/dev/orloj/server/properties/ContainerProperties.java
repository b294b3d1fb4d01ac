package dev.orloj.server.properties;

import dev.orloj.api.ByteSize;
import dev.orloj.api.CpuAmount;
import dev.orloj.api.v1.ContainerNetwork;
import dev.orloj.controllers.sandbox.Ceilings;
import dev.orloj.controllers.sandbox.ContainerPolicy;
import dev.orloj.controllers.sandbox.HostCapacity;
import dev.orloj.controllers.sandbox.HostFolders;
import dev.orloj.controllers.sandbox.PolicyLevel;
import dev.orloj.runtime.container.engine.EngineSettings;
import dev.orloj.runtime.container.spec.ContainerIsolation;
import dev.orloj.runtime.container.spec.ContainerLimits;
import dev.orloj.runtime.container.spec.NetworkAccess;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Containers: where they run, what they get, and what they may ask for.
 *
 * @param host of the engine, such as {@code unix:///run/docker.sock}; empty for {@code DOCKER_HOST}
 *     or the usual socket
 * @param memory of a container that does not say
 * @param user of a container that does not say; empty for the one of the image, or 65532 if that is
 *     root
 * @param runtime OCI runtime of all containers; empty for the one of the engine
 * @param maxMemory the most that a manifest may ask for; null for any
 * @param policy how much of its sandbox a manifest may give up
 * @param mountRoots folders of the host below which Sandboxes may mount some
 */
@ConfigurationProperties("orloj.containers")
public record ContainerProperties(
        @DefaultValue("") String host,
        @DefaultValue("128m") ByteSize memory,
        @DefaultValue("0.50") CpuAmount cpus,
        @DefaultValue("64") int pidsLimit,
        @DefaultValue("isolated") ContainerNetwork.Mode network,
        @DefaultValue("") String user,
        @DefaultValue("") String runtime,
        @Nullable ByteSize maxMemory,
        @Nullable CpuAmount maxCpus,
        @Nullable Integer maxPidsLimit,
        @DefaultValue("baseline") PolicyLevel policy,
        @DefaultValue List<Path> mountRoots) {

    public ContainerProperties {
        mountRoots = List.copyOf(mountRoots);
    }

    /**
     * @param own files and folders of orlojd, which nobody gets to see
     * @throws InvalidConfigurationException when they contradict each other
     */
    public ContainerPolicy toPolicy(List<Path> own) {
        try {
            return readPolicy(own);
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationException(String.valueOf(e.getMessage()), e);
        }
    }

    private ContainerPolicy readPolicy(List<Path> own) {
        if (!host.isEmpty()) {
            EngineSettings.requireHost(host);
        }
        ContainerLimits limits =
                new ContainerLimits(
                        memory.bytes(),
                        cpus.nanos(),
                        pidsLimit,
                        ContainerLimits.DEFAULT.tmpBytes());
        NetworkAccess access =
                switch (network) {
                    case NONE -> NetworkAccess.NONE;
                    case ISOLATED -> NetworkAccess.ISOLATED;
                    case BRIDGE -> NetworkAccess.BRIDGE;
                };
        return new ContainerPolicy(
                policy,
                new ContainerIsolation(limits, user, access, runtime),
                ceilings(),
                folders(own));
    }

    /** An engine of this host has no more than the host; what another one has is not known. */
    private Ceilings ceilings() {
        Ceilings configured = new Ceilings(maxMemory, maxCpus, maxPidsLimit);
        return EngineSettings.socket(host).isPresent()
                ? configured.within(HostCapacity.ofThisHost())
                : configured;
    }

    private HostFolders folders(List<Path> own) {
        if (mountRoots.isEmpty()) {
            return HostFolders.NONE;
        }
        List<Path> withheld = new ArrayList<>(own);
        EngineSettings.socket(host).ifPresent(withheld::add);
        return HostFolders.of(mountRoots, withheld);
    }
}
