package dev.orloj.controllers.container;

import dev.orloj.api.ByteSize;
import dev.orloj.api.CpuAmount;
import dev.orloj.api.v1.ContainerPosture;
import dev.orloj.runtime.container.spec.ContainerLimits;
import dev.orloj.runtime.container.spec.Posture;

/** Converts the observed isolation of a container to its form in a status. */
public final class ContainerPostures {

    private static final long NANOS_PER_MILLICPU = 1_000_000;

    private ContainerPostures() {}

    public static ContainerPosture of(Posture found) {
        ContainerLimits limits = found.limits();
        return new ContainerPosture(
                found.image(),
                found.imageId(),
                found.digest(),
                found.user(),
                found.network(),
                new ByteSize(Long.toString(limits.memoryBytes())),
                new CpuAmount(limits.nanoCpus() / NANOS_PER_MILLICPU + "m"),
                limits.pids(),
                found.relaxations());
    }
}
