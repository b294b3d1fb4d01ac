package dev.orloj.server.properties;

import dev.orloj.api.ByteSize;
import dev.orloj.api.CpuAmount;
import dev.orloj.api.v1.ContainerNetwork;
import dev.orloj.controllers.sandbox.Ceilings;
import dev.orloj.controllers.sandbox.ContainerPolicy;
import dev.orloj.controllers.sandbox.HostCapacity;
import dev.orloj.controllers.sandbox.HostFolders;
import dev.orloj.controllers.sandbox.PodPolicy;
import dev.orloj.controllers.sandbox.PolicyLevel;
import dev.orloj.controllers.sandbox.ServerEngine;
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
 * Settings of containers: the engine, the defaults, and the limits of manifests.
 *
 * @param engine what runs servers with an image
 * @param host of the engine, such as {@code unix:///run/docker.sock}; empty for {@code DOCKER_HOST}
 *     or the default socket
 * @param memory of a container whose manifest sets none
 * @param user of a container whose manifest sets none; empty for that of the image, or 65532 if
 *     that is root
 * @param runtime OCI runtime of all containers; empty for the default of the engine
 * @param maxMemory maximum that a manifest may request; null for no limit
 * @param policy how far a manifest may weaken its sandbox
 * @param mountRoots host folders below which Sandboxes may mount folders
 */
@ConfigurationProperties("orloj.containers")
public record ContainerProperties(
        @DefaultValue("auto") PodProperties.Engine engine,
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
     * Creates the policy.
     *
     * @param own files and folders of orlojd, which are never mounted
     * @param pods decides what runs servers if {@code engine} does not, and what manifests may add
     *     to Pods
     * @throws InvalidConfigurationException when settings contradict each other
     */
    public ContainerPolicy toPolicy(List<Path> own, PodProperties pods) {
        try {
            return readPolicy(own, pods.resolve(engine), new PodPolicy(pods.metadataKeys()));
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationException(String.valueOf(e.getMessage()), e);
        }
    }

    private ContainerPolicy readPolicy(List<Path> own, ServerEngine chosen, PodPolicy pods) {
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
                ceilings(chosen),
                folders(own),
                chosen,
                pods);
    }

    /**
     * Limits a local engine to the capacity of this host. The capacity of a remote engine, or of a
     * cluster, is unknown.
     */
    private Ceilings ceilings(ServerEngine chosen) {
        Ceilings configured = new Ceilings(maxMemory, maxCpus, maxPidsLimit);
        return chosen == ServerEngine.CONTAINER && EngineSettings.socket(host).isPresent()
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
