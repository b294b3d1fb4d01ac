package dev.orloj.controllers.report;

import dev.orloj.api.Condition;
import dev.orloj.api.Conditions;
import dev.orloj.api.findings.DefinitionFinding;
import dev.orloj.api.findings.FindingSeverity;
import dev.orloj.api.findings.FindingSummary;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerStatus;
import dev.orloj.controllers.events.ConditionMessage;
import dev.orloj.controllers.events.Note;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Shows findings about definitions: in the status, as a condition, and as an event of a change. */
public final class DefinitionStatus {

    private static final String REASON = "DefinitionFindings";
    private static final String GONE = "DefinitionFindingsGone";

    private DefinitionStatus() {}

    /** Returns the status with the findings, and with the condition if they are not all mild. */
    static McpServerStatus with(
            McpServerStatus status, FindingSummary findings, long generation, Instant now) {
        if (findings.equals(status.findings())) {
            return status;
        }
        List<Condition> conditions = new ArrayList<>(status.conditions());
        if (findings.reaches(FindingSeverity.MEDIUM)) {
            DefinitionFinding worst = findings.worst().getFirst();
            Condition condition =
                    Condition.isTrue(McpServer.SUSPICIOUS, REASON, message(findings, worst));
            conditions =
                    new ArrayList<>(
                            Conditions.merge(conditions, List.of(condition), generation, now));
        } else {
            conditions.removeIf(condition -> condition.type().equals(McpServer.SUSPICIOUS));
        }
        return status.toBuilder().findings(findings).conditions(conditions).build();
    }

    private static String message(FindingSummary findings, DefinitionFinding worst) {
        return ConditionMessage.of(
                "Findings about definitions: %s; the worst one is %s at %s of %s: %s"
                        .formatted(
                                findings.counts(),
                                worst.id(),
                                worst.where(),
                                worst.subject(),
                                worst.message()));
    }

    /** Returns the event for a change of the findings; empty if they are the same. */
    public static Optional<Note> change(McpServerStatus before, McpServerStatus after) {
        FindingSummary now = after.findings();
        if (now == null || digest(before.findings()).equals(now.digest())) {
            return Optional.empty();
        }
        if (now.worst().isEmpty()) {
            return Optional.of(Note.normal(GONE, "No definition of the server has findings now"));
        }
        String message = message(now, now.worst().getFirst());
        return Optional.of(
                now.reaches(FindingSeverity.MEDIUM)
                        ? Note.warning(REASON, message)
                        : Note.normal(REASON, message));
    }

    private static String digest(@Nullable FindingSummary findings) {
        return findings == null ? "" : findings.digest();
    }
}
