package dev.orloj.controllers.container;

import static dev.orloj.api.v1.McpServer.IMAGE_PULLED;

import dev.orloj.api.Condition;
import dev.orloj.api.Conditions;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerSpec;
import dev.orloj.api.v1.McpServerStatus;

import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Writes the state of the container into the status of a server. Thread-safe. */
public final class ContainerStatus {

    public static final String PULL_FAILED = "PullFailed";

    private static final String PULLED = "Pulled";

    private final ContainerJournal journal;
    private final InstantSource clock;

    /**
     * @param journal to which the engine reports
     */
    public ContainerStatus(ContainerJournal journal, InstantSource clock) {
        this.journal = journal;
        this.clock = clock;
    }

    /**
     * Returns the status with the state of the container, or the same status if nothing changed.
     */
    public McpServerStatus addTo(McpServerStatus status, McpServer server) {
        if (!(server.spec().hosting() instanceof McpServerSpec.Hosting.OwnContainer)) {
            return without(status);
        }
        return journal.find(server.key())
                .filter(entry -> entry.uid().equals(server.metadata().uid()))
                .map(entry -> with(status, entry, server.metadata().generation()))
                .orElse(status);
    }

    /** Drops the state of a server that is gone. */
    public void forget(ResourceKey server) {
        journal.forget(server);
    }

    private McpServerStatus with(
            McpServerStatus before, ContainerJournal.Entry known, long generation) {
        McpServerStatus.Builder status = before.toBuilder();
        if (known.pull() != null) {
            status.conditions(
                    Conditions.merge(
                            before.conditions(),
                            List.of(condition(known.pull())),
                            generation,
                            clock.instant().truncatedTo(ChronoUnit.SECONDS)));
        }
        if (known.posture() != null) {
            status.sandbox(ContainerPostures.of(known.posture()));
        }
        return status.build();
    }

    /** Removes the container from the status of a server that no longer runs in one. */
    private static McpServerStatus without(McpServerStatus status) {
        if (status.sandbox() == null
                && Conditions.find(status.conditions(), IMAGE_PULLED).isEmpty()) {
            return status;
        }
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
