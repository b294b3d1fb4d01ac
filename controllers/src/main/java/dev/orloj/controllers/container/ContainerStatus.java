package dev.orloj.controllers.container;

import static dev.orloj.api.v1.McpServer.IMAGE_PULLED;
import static dev.orloj.api.v1.McpServer.POD_SCHEDULED;

import dev.orloj.api.Condition;
import dev.orloj.api.Conditions;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerSpec;
import dev.orloj.api.v1.McpServerStatus;

import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** Writes the state of the container into the status of a server. Thread-safe. */
public final class ContainerStatus {

    public static final String PULL_FAILED = "PullFailed";

    private static final String PULLED = "Pulled";
    private static final String UNSCHEDULABLE = "Unschedulable";

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
        List<Condition> current = conditions(known);
        if (!current.isEmpty()) {
            status.conditions(
                    Conditions.merge(
                            before.conditions(),
                            current,
                            generation,
                            clock.instant().truncatedTo(ChronoUnit.SECONDS)));
        }
        ContainerJournal.Scheduling scheduling = known.scheduling();
        if (scheduling != null && scheduling.why().isEmpty()) {
            status.conditions(except(status.build().conditions(), POD_SCHEDULED));
        }
        if (known.posture() != null) {
            status.sandbox(ContainerPostures.of(known.posture()));
        }
        return status.build();
    }

    /** Removes the container from the status of a server that no longer runs in one. */
    private static McpServerStatus without(McpServerStatus status) {
        List<Condition> left = except(except(status.conditions(), IMAGE_PULLED), POD_SCHEDULED);
        return status.sandbox() == null && left.equals(status.conditions())
                ? status
                : status.toBuilder().sandbox(null).conditions(left).build();
    }

    private static List<Condition> except(List<Condition> conditions, String type) {
        return conditions.stream().filter(condition -> !condition.type().equals(type)).toList();
    }

    private static List<Condition> conditions(ContainerJournal.Entry known) {
        List<Condition> conditions = new ArrayList<>();
        if (known.pull() != null) {
            conditions.add(condition(known.pull()));
        }
        ContainerJournal.Scheduling scheduling = known.scheduling();
        if (scheduling != null && !scheduling.why().isEmpty()) {
            conditions.add(
                    Condition.isFalse(
                            POD_SCHEDULED,
                            UNSCHEDULABLE,
                            "No node takes Pod \"%s\": %s"
                                    .formatted(scheduling.pod(), scheduling.why())));
        }
        return conditions;
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
