package dev.orloj.controllers.container;

import static dev.orloj.api.v1.McpServer.IMAGE_PULLED;

import dev.orloj.api.Condition;
import dev.orloj.api.Conditions;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerStatus;

import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** The part of a server's status that tells of its container. Safe for many threads. */
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

    /** A status of the server with what is known of its container; the same when nothing is new. */
    public McpServerStatus addTo(McpServerStatus status, McpServer server) {
        if (server.spec().image().isEmpty()) {
            return without(status);
        }
        return journal.find(server.key())
                .filter(entry -> entry.uid().equals(server.metadata().uid()))
                .map(entry -> with(status, entry, server.metadata().generation()))
                .orElse(status);
    }

    /** The server is gone. */
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

    /** The status of a server that is in a container no more. */
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
