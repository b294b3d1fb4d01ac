package dev.orloj.controllers.container;

import static dev.orloj.api.v1.McpServer.IMAGE_PULLED;

import dev.orloj.api.ByteSize;
import dev.orloj.api.Condition;
import dev.orloj.api.Conditions;
import dev.orloj.api.CpuAmount;
import dev.orloj.api.v1.ContainerPosture;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerStatus;
import dev.orloj.runtime.container.ContainerLimits;
import dev.orloj.runtime.container.Posture;

import java.time.Instant;
import java.util.List;

/** The part of a server's status that tells of its container. */
final class ContainerStatus {

    static final String PULLING = "Pulling";
    static final String PULLED = "Pulled";
    static final String PULL_FAILED = "PullFailed";

    private static final long NANOS_PER_MILLICPU = 1_000_000;

    private ContainerStatus() {}

    /** The status with what is known; equal to the one before when nothing is new. */
    static McpServerStatus with(McpServer server, ContainerJournal.Entry known, Instant now) {
        McpServerStatus.Builder status = server.status().toBuilder();
        if (known.pull() != null) {
            status.conditions(
                    Conditions.merge(
                            server.status().conditions(),
                            List.of(condition(known.pull())),
                            server.metadata().generation(),
                            now));
        }
        if (known.posture() != null) {
            status.sandbox(posture(known.posture()));
        }
        return status.build();
    }

    /** The status of a server that is in a container no more. */
    static McpServerStatus without(McpServerStatus status) {
        return status.toBuilder()
                .sandbox(null)
                .conditions(
                        status.conditions().stream()
                                .filter(condition -> !condition.type().equals(IMAGE_PULLED))
                                .toList())
                .build();
    }

    private static Condition condition(ContainerJournal.Pull pull) {
        return switch (pull) {
            case ContainerJournal.Pull.Running(String image, String progress) ->
                    Condition.isFalse(
                            IMAGE_PULLED,
                            PULLING,
                            "Image \"%s\" is being pulled%s"
                                    .formatted(image, progress.isEmpty() ? "" : ": " + progress));
            case ContainerJournal.Pull.Done(String image) ->
                    Condition.isTrue(
                            IMAGE_PULLED, PULLED, "Image \"%s\" was pulled".formatted(image));
            case ContainerJournal.Pull.Failed(String image, String cause) ->
                    Condition.isFalse(IMAGE_PULLED, PULL_FAILED, cause);
        };
    }

    private static ContainerPosture posture(Posture found) {
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
