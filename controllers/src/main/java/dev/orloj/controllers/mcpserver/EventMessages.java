package dev.orloj.controllers.mcpserver;

import dev.orloj.api.Condition;
import dev.orloj.api.Conditions;
import dev.orloj.api.approval.ServingPolicy;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerStatus;
import dev.orloj.controllers.container.ContainerStatus;
import dev.orloj.controllers.events.ConditionMessage;
import dev.orloj.controllers.events.Note;
import dev.orloj.controllers.login.UserLogins.Logout;
import dev.orloj.controllers.mcpserver.approval.ApprovedListing;
import dev.orloj.controllers.mcpserver.tools.ToolPlan;
import dev.orloj.controllers.report.DefinitionStatus;
import dev.orloj.controllers.sandbox.ServerEngine;
import dev.orloj.runtime.listing.ListingLimitException;
import dev.orloj.runtime.oauth.OAuthFailure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Makes the events for a status change. An unchanged status makes no events. */
final class EventMessages {

    private static final int MAX_NAMES = 10;

    /** The reason of the event for content that is too large or not usable. */
    private static final String LEFT_OUT = "LeftOut";

    private EventMessages() {}

    /** Says that the tokens of a login outlive the server that it was for. */
    static Optional<Note> notRevoked(Logout logout) {
        String why =
                switch (logout.revocation()) {
                    case FAILED -> logout.message();
                    case UNSUPPORTED -> "it has no endpoint for it";
                    case REVOKED, NONE -> "";
                };
        return why.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        Note.warning(
                                "TokensNotRevoked",
                                "The authorization server did not revoke the tokens of the login,"
                                        + " which remain valid there until they expire, or a user"
                                        + " revokes the access of Orloj there: "
                                        + why));
    }

    static List<Note> between(McpServerStatus before, McpServerStatus after) {
        List<Note> notes = new ArrayList<>();
        transition(McpServer.ACCEPTED, before, after)
                .filter(c -> c.status() == Condition.Status.FALSE)
                .ifPresent(c -> notes.add(Note.warning(c.reason(), c.message())));
        transition(McpServer.DISCOURAGED, before, after)
                .ifPresent(c -> notes.add(Note.warning(c.reason(), c.message())));
        transition(McpServer.CONNECTED, before, after)
                .flatMap(c -> connection(c, before))
                .ifPresent(notes::add);
        transition(McpServer.IMAGE_PULLED, before, after)
                .filter(c -> !c.reason().equals(reason(McpServer.IMAGE_PULLED, before)))
                .map(EventMessages::image)
                .ifPresent(notes::add);
        transition(McpServer.POD_SCHEDULED, before, after)
                .ifPresent(c -> notes.add(Note.warning(c.reason(), c.message())));
        transition(McpServer.TOOLS_SYNCED, before, after)
                .filter(c -> isSyncFailure(c.reason()))
                .ifPresent(c -> notes.add(Note.warning(c.reason(), c.message())));
        transition(McpServer.TOOLS_SYNCED, before, after)
                .filter(c -> c.status() == Condition.Status.TRUE)
                .filter(c -> KnownStatus.saysLeftOut(c.message()))
                .ifPresent(c -> notes.add(Note.warning(LEFT_OUT, c.message())));
        transition(McpServer.TOOLS_APPROVED, before, after)
                .filter(c -> c.status() == Condition.Status.FALSE)
                .ifPresent(c -> notes.add(Note.warning(c.reason(), c.message())));
        DefinitionStatus.change(before, after).ifPresent(notes::add);
        return notes;
    }

    private static String reason(String type, McpServerStatus status) {
        return Conditions.find(status.conditions(), type).map(Condition::reason).orElse("");
    }

    private static Note image(Condition pulled) {
        return pulled.reason().equals(ContainerStatus.PULL_FAILED)
                ? Note.warning(pulled.reason(), pulled.message())
                : Note.normal(pulled.reason(), pulled.message());
    }

    private static boolean isSyncFailure(String reason) {
        return reason.equals(ServerStatus.LIST_FAILED)
                || reason.equals(ServerStatus.TOOLS_REFUSED)
                || reason.equals(ServerStatus.GATEWAY_LOOP)
                || Arrays.stream(ListingLimitException.Limit.values())
                        .anyMatch(limit -> limit.reason().equals(reason));
    }

    /** Returns the condition after the change if it differs in more than its generation. */
    private static Optional<Condition> transition(
            String type, McpServerStatus before, McpServerStatus after) {
        Optional<Condition> old = Conditions.find(before.conditions(), type);
        return Conditions.find(after.conditions(), type)
                .filter(
                        c ->
                                old.isEmpty()
                                        || old.get().status() != c.status()
                                        || !old.get().reason().equals(c.reason())
                                        || !old.get().message().equals(c.message()));
    }

    private static Optional<Note> connection(Condition connected, McpServerStatus before) {
        if (connected.status() == Condition.Status.TRUE) {
            return Optional.of(Note.normal("Connected", connected.message()));
        }
        return switch (connected.reason()) {
            case ServerStatus.SESSION_LOST, ServerStatus.CRASH_LOOP ->
                    Optional.of(Note.warning("Disconnected", connected.message()));
            case ServerStatus.CONNECT_FAILED, ServerEngine.UNAVAILABLE ->
                    Optional.of(Note.warning(connected.reason(), connected.message()));
            case ServerStatus.SUSPENDED ->
                    Optional.of(Note.normal(ServerStatus.SUSPENDED, connected.message()));
            case ServerStatus.IDLE ->
                    Conditions.isTrue(before.conditions(), McpServer.CONNECTED)
                            ? Optional.of(Note.normal("Disconnected", connected.message()))
                            : Optional.empty();
            default ->
                    OAuthFailure.reasons().contains(connected.reason())
                            ? Optional.of(Note.warning(connected.reason(), connected.message()))
                            : Optional.empty();
        };
    }

    /** Returns the event for a tool sync, or empty if the sync wrote nothing. */
    static Optional<Note> of(ToolPlan plan) {
        List<String> parts = new ArrayList<>();
        describe("added", plan.added(), parts);
        describe("changed", plan.changed(), parts);
        describe("removed", plan.removed(), parts);
        return parts.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        Note.normal(
                                "ToolsSynced",
                                ConditionMessage.of("Tools " + String.join("; ", parts))));
    }

    /** Returns the events that the policy asks for. */
    static List<Note> warnings(ServingPolicy policy, ToolPlan plan, ApprovedListing approved) {
        List<Note> notes = new ArrayList<>();
        List<String> parts = new ArrayList<>();
        describe("served with a warning", approved.warnings(), parts);
        parts.forEach(part -> notes.add(warning("ToolDefinitionChanged", "Definitions " + part)));
        if (policy.warnsOfRemoval()) {
            List<String> removed = new ArrayList<>(plan.removed());
            removed.removeAll(approved.withheld());
            parts.clear();
            describe("no longer listed by the server:", removed, parts);
            parts.forEach(part -> notes.add(warning("ToolsRemoved", "Tools " + part)));
        }
        return notes;
    }

    private static Note warning(String reason, String message) {
        return Note.warning(reason, ConditionMessage.of(message));
    }

    private static void describe(String verb, List<String> names, List<String> parts) {
        if (!names.isEmpty()) {
            List<String> shown = names.subList(0, Math.min(names.size(), MAX_NAMES));
            String rest =
                    names.size() > MAX_NAMES ? " and " + (names.size() - MAX_NAMES) + " more" : "";
            parts.add("%s %d: %s%s".formatted(verb, names.size(), String.join(", ", shown), rest));
        }
    }
}
