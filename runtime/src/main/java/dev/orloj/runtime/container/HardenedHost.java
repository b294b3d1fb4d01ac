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
 * What the engine is asked to hold a container to. The seccomp profile is the one of the engine,
 * which applies to all who do not ask for another.
 */
final class HardenedHost {

    /** Programs of an image have no business in folders that anybody may write to. */
    static final String TMPFS = "rw,noexec,nosuid,nodev,mode=1777,size=";

    static final String NO_NEW_PRIVILEGES = "no-new-privileges:true";

    private HardenedHost() {}

    /**
     * @param folders that are writable beside {@code /tmp}: in memory, since on disk they would
     *     have no limit
     * @param mounts what of the host it sees
     * @param network name of one of the engine's
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
                        // Memory and swap together, so there is no swap.
                        .withMemorySwap(limits.memoryBytes())
                        .withNanoCPUs(limits.nanoCpus())
                        .withPidsLimit(limits.pids())
                        // What a program leaves when it crashes may hold secrets.
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
