package dev.orloj.controllers.mcpserver;

import static dev.orloj.api.v1.McpServer.ACCEPTED;
import static dev.orloj.api.v1.McpServer.CONNECTED;
import static dev.orloj.api.v1.McpServer.READY;
import static dev.orloj.api.v1.McpServer.TOOLS_SYNCED;

import dev.orloj.api.Condition;
import dev.orloj.api.Conditions;
import dev.orloj.api.GoDuration;
import dev.orloj.api.approval.ServerDescription;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerStatus;
import dev.orloj.api.v1.McpServerStatus.Phase;
import dev.orloj.controllers.events.ConditionMessage;
import dev.orloj.controllers.mcpserver.tools.ToolPlan;
import dev.orloj.controllers.secret.OperatorSecrets;
import dev.orloj.runtime.client.ServerIdentity;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Computes the status of a server from an observed state. Only this type creates the conditions.
 * {@code Ready} is a summary: the tools can be called, through the open session or through one that
 * a call opens. A server that sleeps after its idle timeout is therefore {@code Connected=False}
 * with reason {@code Idle} and {@code Ready=True}. So is a changed server whose new session does
 * not open, as long as the session from before the change serves calls: {@code Connected=False}
 * gives the reason, and {@code Ready=True} names the generation that serves.
 */
final class ServerStatus {

    static final String IDLE = "Idle";
    static final String SUSPENDED = "Suspended";
    static final String CONNECT_FAILED = "ConnectFailed";
    static final String CONTAINER_GONE = "ContainerGone";
    static final String CONNECTING = "Connecting";
    static final String SESSION_LOST = "SessionLost";
    static final String CRASH_LOOP = "CrashLoop";
    static final String SERVED_AS_BEFORE = "ServedAsBefore";
    static final String LISTING = "Listing";
    static final String LIST_FAILED = "ListFailed";
    static final String GATEWAY_LOOP = "GatewayLoop";
    static final String TOOLS_REFUSED = "ToolsRefused";

    private static final String SYNCING = "Syncing";
    private static final String SESSION_OPEN = "SessionOpen";
    private static final String SYNCED = "Synced";
    private static final String NOT_ACCEPTED = "NotAccepted";
    private static final String NOT_SYNCED_YET = "NotSyncedYet";
    private static final String DELETING = "Deleting";

    private final McpServer server;
    private final McpServerStatus before;
    private final List<String> sources;
    private final Instant now;

    private ServerStatus(McpServer server, List<String> sources, Instant now) {
        this.server = server;
        this.before = server.status();
        this.sources = sources;
        this.now = now.truncatedTo(ChronoUnit.SECONDS);
    }

    /**
     * Returns the status of a server after an observation. It equals the status before if nothing
     * changed.
     *
     * @param sources the names of the environment variables of orlojd, and the paths of files, that
     *     the server uses in place of Secrets
     */
    static McpServerStatus after(
            McpServer server, ObservedState observedState, List<String> sources, Instant now) {
        return new ServerStatus(server, sources, now).status(observedState);
    }

    private McpServerStatus status(ObservedState observedState) {
        return switch (observedState) {
            case ObservedState.Refused(String reason, String message) -> refused(reason, message);
            case ObservedState.Suspended(String why) -> suspended(why);
            case ObservedState.Withheld seen -> WithheldStatus.of(server, seen, accepted(), now);
            case ObservedState.Connecting connecting -> connecting(connecting);
            case ObservedState.ScalingUp(var seen) ->
                    ScalingStatus.of(server, seen, accepted(), unchangedSync(), now);
            case ObservedState.Unchanged() -> before;
            case ObservedState.Lost(String cause) ->
                    notConnected(
                            Phase.CONNECTING,
                            SESSION_LOST,
                            "The session ended by itself and is being opened again: " + cause,
                            cause);
            case ObservedState.CrashLooping(int deaths, String cause) ->
                    notConnected(
                            Phase.ERROR,
                            CRASH_LOOP,
                            "The session ended by itself %d times in a row, each time soon after it was opened: %s"
                                    .formatted(deaths, cause),
                            cause);
            case ObservedState.Unreachable(String reason, String cause, OptionalLong served) ->
                    served.isPresent()
                            ? servedAsBefore(served.getAsLong(), reason, cause, cause)
                            : notConnected(Phase.ERROR, reason, cause, cause);
            case ObservedState.ContainerGone(String cause) ->
                    notConnected(Phase.ERROR, CONTAINER_GONE, cause, cause);
            case ObservedState.Asleep(String why) -> asleep(why);
            case ObservedState.Open(ServerIdentity identity) ->
                    callable(identity, unchangedSync(), before.toBuilder());
            case ObservedState.Listing(ServerIdentity identity, Instant since) ->
                    listing(identity, since);
            case ObservedState.Synced synced -> approved(synced(synced), synced.approval());
            case ObservedState.Reviewed reviewed ->
                    approved(reviewed(reviewed), reviewed.approval());
            case ObservedState.Syncing(ServerIdentity identity, int writes) ->
                    syncing(identity, writes);
            case ObservedState.NotSynced(ServerIdentity identity, String reason, String cause) ->
                    notSynced(identity, reason, cause);
            case ObservedState.Leaving() -> leaving();
        };
    }

    private McpServerStatus connecting(ObservedState.Connecting seen) {
        OptionalLong served = seen.served();
        String failed = seen.failed();
        String message =
                "A session is being opened, since %s; the server may take %s to start, downloads included%s"
                        .formatted(
                                inSeconds(seen.since()),
                                GoDuration.of(seen.atMost()).text(),
                                failed.isEmpty() ? "" : "; " + failed);
        return served.isPresent()
                ? servedAsBefore(served.getAsLong(), CONNECTING, message, failed)
                : notConnected(Phase.CONNECTING, CONNECTING, message, failed);
    }

    private McpServerStatus refused(String reason, String message) {
        return with(
                Phase.ERROR,
                message,
                Condition.isFalse(ACCEPTED, reason, message),
                Condition.isFalse(
                        CONNECTED,
                        NOT_ACCEPTED,
                        "No session is opened until the manifest can be acted on"),
                Condition.unknown(
                        TOOLS_SYNCED, NOT_ACCEPTED, "The tools cannot be listed without a session"),
                Condition.isFalse(READY, reason, message));
    }

    private McpServerStatus suspended(String why) {
        return with(
                        Phase.SUSPENDED,
                        "",
                        accepted(),
                        Condition.isFalse(CONNECTED, SUSPENDED, "No session is opened: " + why),
                        Conditions.find(before.conditions(), TOOLS_SYNCED)
                                .map(kept -> kept.ofGeneration(server.metadata().generation()))
                                .orElseGet(this::unchangedSync),
                        Condition.isFalse(READY, SUSPENDED, "Calls are refused: " + why))
                .toBuilder()
                .observedRestart(server.restartedAt())
                .build();
    }

    private McpServerStatus notConnected(Phase phase, String reason, String message, String error) {
        return with(
                phase,
                error,
                accepted(),
                Condition.isFalse(CONNECTED, reason, message),
                unchangedSync(),
                Condition.isFalse(READY, reason, message));
    }

    /**
     * Sets {@code Ready} for the generation that serves, so that a client that waits for the
     * changed generation to be ready keeps waiting.
     */
    private McpServerStatus servedAsBefore(
            long generation, String reason, String message, String error) {
        return with(
                Phase.READY,
                error,
                accepted(),
                Condition.isFalse(CONNECTED, reason, message),
                unchangedSync(),
                Condition.isTrue(
                                READY,
                                SERVED_AS_BEFORE,
                                "The tools can be called, as before the latest change")
                        .ofGeneration(generation));
    }

    private McpServerStatus asleep(String why) {
        return with(
                        Phase.READY,
                        "",
                        accepted(),
                        Condition.isFalse(CONNECTED, IDLE, why),
                        unchangedSync(),
                        Condition.isTrue(
                                READY, IDLE, "The tools can be called; a call opens a session"))
                .toBuilder()
                .observedRestart(server.restartedAt())
                .build();
    }

    private McpServerStatus synced(ObservedState.Synced synced) {
        ToolPlan plan = synced.plan();
        Condition sync =
                Condition.isTrue(TOOLS_SYNCED, SYNCED, SyncMessage.of(plan, notes(synced)));
        return callable(
                synced.identity(),
                sync,
                before.toBuilder()
                        .gateways(synced.gateways())
                        .tools(
                                SyncMessage.shown(plan.discovered()),
                                SyncMessage.shown(plan.generated()),
                                plan.generated().size(),
                                now));
    }

    /** Corrects the numbers of the latest sync. What it left out is still left out. */
    private McpServerStatus reviewed(ObservedState.Reviewed reviewed) {
        ToolPlan plan = reviewed.plan();
        ServerDescription description = reviewed.description();
        Condition sync = unchangedSync();
        String message = SyncMessage.corrected(sync.message(), plan);
        return before.toBuilder()
                .conditions(merged(Condition.isTrue(TOOLS_SYNCED, SYNCED, message)))
                .description(description.info(), description.instructions())
                .tools(
                        before.discoveredTools(),
                        SyncMessage.shown(plan.generated()),
                        plan.generated().size(),
                        before.lastSyncedAt())
                .build();
    }

    private McpServerStatus approved(McpServerStatus status, Optional<Condition> approval) {
        List<Condition> others =
                status.conditions().stream()
                        .filter(c -> !c.type().equals(McpServer.TOOLS_APPROVED))
                        .toList();
        return status.toBuilder()
                .conditions(
                        approval.isEmpty()
                                ? others
                                : Conditions.merge(
                                        status.conditions(),
                                        List.of(approval.get()),
                                        server.metadata().generation(),
                                        now))
                .build();
    }

    /**
     * @param lists holds the tools
     */
    private McpServerStatus callable(
            ServerIdentity identity, Condition sync, McpServerStatus.Builder lists) {
        boolean ready = sync.status() == Condition.Status.TRUE;
        return lists.phase(ready ? Phase.READY : Phase.ERROR, server.metadata().generation())
                .conditions(
                        merged(
                                accepted(),
                                connected(identity),
                                sync,
                                ready
                                        ? Condition.isTrue(
                                                READY, SESSION_OPEN, "The tools can be called")
                                        : Condition.isFalse(READY, sync.reason(), sync.message())))
                .lastError(ready ? "" : sync.message())
                .identity(
                        identity.protocolVersion(),
                        identity.serverInfo(),
                        identity.capabilities(),
                        identity.instructions())
                .observedRestart(server.restartedAt())
                .build();
    }

    /**
     * The tools from before can be called in the meantime, so a server that was ready stays ready.
     */
    private McpServerStatus syncing(ServerIdentity identity, int writes) {
        String message = "%,d Tools are being written".formatted(writes);
        boolean ready = Conditions.isTrue(before.conditions(), READY);
        return before.toBuilder()
                .phase(ready ? Phase.READY : Phase.CONNECTING, server.metadata().generation())
                .conditions(
                        merged(
                                accepted(),
                                connected(identity),
                                Condition.unknown(TOOLS_SYNCED, SYNCING, message),
                                ready
                                        ? Condition.isTrue(
                                                READY,
                                                SYNCING,
                                                "The tools can be called; " + message)
                                        : Condition.isFalse(READY, SYNCING, message)))
                .lastError("")
                .identity(
                        identity.protocolVersion(),
                        identity.serverInfo(),
                        identity.capabilities(),
                        identity.instructions())
                .build();
    }

    private McpServerStatus notSynced(ServerIdentity identity, String reason, String cause) {
        return callable(
                identity, Condition.isFalse(TOOLS_SYNCED, reason, cause), before.toBuilder());
    }

    private McpServerStatus listing(ServerIdentity identity, Instant since) {
        String message = "The tools are being listed, since " + inSeconds(since);
        return callable(
                        identity,
                        Condition.unknown(TOOLS_SYNCED, LISTING, message),
                        before.toBuilder())
                .toBuilder()
                .phase(Phase.CONNECTING, server.metadata().generation())
                .lastError("")
                .build();
    }

    private static Instant inSeconds(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS);
    }

    private McpServerStatus leaving() {
        return with(
                Phase.PENDING,
                "",
                accepted(),
                Condition.isFalse(CONNECTED, DELETING, "Sessions are being closed"),
                Condition.isFalse(TOOLS_SYNCED, DELETING, "The Tools are being deleted"),
                Condition.isFalse(READY, DELETING, "The server is being deleted"));
    }

    private Condition accepted() {
        return Condition.isTrue(
                ACCEPTED,
                ACCEPTED,
                "The manifest can be acted on" + OperatorSecrets.described(sources));
    }

    private static Condition connected(ServerIdentity identity) {
        return Condition.isTrue(
                CONNECTED,
                SESSION_OPEN,
                "A session is open with MCP revision "
                        + ConditionMessage.of(identity.protocolVersion()));
    }

    /**
     * Keeps the sync condition of this generation. For a new generation the condition is unknown.
     */
    private Condition unchangedSync() {
        return Conditions.find(before.conditions(), TOOLS_SYNCED)
                .filter(c -> c.observedGeneration() == server.metadata().generation())
                .filter(c -> c.status() != Condition.Status.UNKNOWN)
                .orElseGet(
                        () ->
                                Condition.unknown(
                                        TOOLS_SYNCED,
                                        NOT_SYNCED_YET,
                                        "The tools have not been listed yet"));
    }

    private static List<String> notes(ObservedState.Synced synced) {
        List<String> notes = new ArrayList<>(synced.notes());
        notes.addAll(synced.identity().notes());
        return notes;
    }

    private McpServerStatus with(Phase phase, String error, Condition... observed) {
        return before.toBuilder()
                .phase(phase, server.metadata().generation())
                .conditions(merged(observed))
                .lastError(error)
                .build();
    }

    private List<Condition> merged(Condition... observed) {
        long generation = server.metadata().generation();
        return Conditions.advise(
                Conditions.merge(before.conditions(), List.of(observed), generation, now),
                McpServer.DISCOURAGED,
                McpServer.DESCRIPTOR.advice(server),
                generation,
                now);
    }
}
