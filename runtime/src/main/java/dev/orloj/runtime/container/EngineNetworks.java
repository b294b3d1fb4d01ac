package dev.orloj.runtime.container;

import dev.orloj.runtime.workload.WorkloadException;

import java.util.Map;

/** The networks that every engine has. Stateless. */
final class EngineNetworks implements ContainerNetworks {

    @Override
    public Attachment prepare(ContainerOwner owner, NetworkAccess access) {
        return switch (access.mode()) {
            case NONE -> new Attachment("none", Map.of());
            case BRIDGE -> new Attachment("bridge", Map.of());
            case ISOLATED ->
                    throw new WorkloadException(
                            "Network mode \"isolated\" cannot be enforced yet; use \"none\" or"
                                    + " \"bridge\"");
        };
    }
}
