package dev.orloj.controllers.container;

import static dev.orloj.api.v1.McpServer.IMAGE_PULLED;

import dev.orloj.api.Condition;
import dev.orloj.api.Conditions;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerStatus;

import java.time.Instant;
import java.util.List;

/** The part of a server's status that tells of its container. */
final class ContainerStatus {

    static final String PULLED = "Pulled";
    static final String PULL_FAILED = "PullFailed";

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
            status.sandbox(ContainerPostures.of(known.posture()));
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
                            McpServer.PULLING,
                            "Image \"%s\" is being pulled%s"
                                    .formatted(image, progress.isEmpty() ? "" : ": " + progress));
            case ContainerJournal.Pull.Done(String image) ->
                    Condition.isTrue(
                            IMAGE_PULLED, PULLED, "Image \"%s\" was pulled".formatted(image));
            case ContainerJournal.Pull.Failed(String image, String cause) ->
                    Condition.isFalse(IMAGE_PULLED, PULL_FAILED, cause);
        };
    }
}
