package dev.orloj.runtime.container;

import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.LogConfig;
import com.github.dockerjava.api.model.Mount;
import com.github.dockerjava.api.model.RestartPolicy;
import com.github.dockerjava.api.model.Ulimit;

import dev.orloj.runtime.container.init.InitProcess;
import dev.orloj.runtime.container.spec.ContainerIsolation;
import dev.orloj.runtime.container.spec.ContainerLimits;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Builds the restrictions of a container for the engine. The seccomp profile is the engine's own,
 * which applies unless another one is requested.
 */
final class HardenedHost {

    /** World-writable folders are not executable: programs of an image do not belong there. */
    static final String TMPFS = "rw,noexec,nosuid,nodev,mode=1777,size=";

    static final String NO_NEW_PRIVILEGES = "no-new-privileges:true";

    private HardenedHost() {}

    /**
     * @param folders writable folders in addition to {@code /tmp}: in memory, because they would
     *     have no limit on disk
     * @param mounts mounts of host files
     * @param network name of a network of the engine
     */
    static HostConfig config(
            ContainerIsolation isolation,
            InitProcess init,
            List<String> folders,
            List<Mount> mounts,
            String network) {
        ContainerLimits limits = isolation.limits();
        HostConfig config =
                HostConfig.newHostConfig()
                        .withPrivileged(false)
                        .withReadonlyRootfs(true)
                        .withCapDrop(Capability.ALL)
                        .withSecurityOpts(List.of(NO_NEW_PRIVILEGES))
                        .withInit(init instanceof InitProcess.OfEngine)
                        .withAutoRemove(true)
                        .withRestartPolicy(RestartPolicy.noRestart())
                        .withLogConfig(new LogConfig(LogConfig.LoggingType.NONE))
                        .withIpcMode("private")
                        .withCgroupnsMode("private")
                        .withNetworkMode(network)
                        .withMemory(limits.memoryBytes())
                        // The sum of memory and swap, so there is no swap.
                        .withMemorySwap(limits.memoryBytes())
                        .withNanoCPUs(limits.nanoCpus())
                        .withPidsLimit(limits.pids())
                        // Core dumps may contain secrets.
                        .withUlimits(List.of(new Ulimit("core", 0L, 0L)))
                        .withTmpFs(tmpfs(limits, folders))
                        .withMounts(mounts);
        return isolation.runtime().isEmpty() ? config : config.withRuntime(isolation.runtime());
    }

    private static Map<String, String> tmpfs(ContainerLimits limits, List<String> folders) {
        Map<String, String> tmpfs = new LinkedHashMap<>();
        tmpfs.put("/tmp", TMPFS + limits.tmpBytes());
        folders.forEach(folder -> tmpfs.put(folder, TMPFS + limits.tmpBytes()));
        return tmpfs;
    }
}
