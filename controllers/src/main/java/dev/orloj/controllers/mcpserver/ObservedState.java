package dev.orloj.controllers.mcpserver;

import dev.orloj.api.Condition;
import dev.orloj.api.approval.ServerDescription;
import dev.orloj.controllers.mcpserver.tools.ToolPlan;
import dev.orloj.runtime.client.ServerIdentity;
import dev.orloj.runtime.scale.ServerScaling;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The observed state of a server. Each state becomes one status. */
sealed interface ObservedState {

    /** The manifest cannot be acted on until it or a Secret changes. */
    record Refused(String reason, String message) implements ObservedState {}

    /** The manifest suspends the server, so no session is opened. */
    record Suspended(String why) implements ObservedState {}

    /**
     * The policy does not serve what runs, so no session is opened until a user decides.
     *
     * @param waits whether an approval would serve it
     */
    record Withheld(String why, boolean waits) implements ObservedState {}

    /**
     * A session is being opened.
     *
     * @param served the generation whose session serves calls until then; empty for none
     * @param failed the result of the latest attempt, as a sentence; empty for the first attempt
     * @param since when the opening began
     * @param atMost how long the server may take to start
     */
    record Connecting(OptionalLong served, String failed, Instant since, Duration atMost)
            implements ObservedState {}

    /** A session waits until what runs the server in the cluster has started. */
    record ScalingUp(ServerScaling.ScalingUp seen) implements ObservedState {}

    /** The session is unchanged. The state of its container may have changed. */
    record Unchanged() implements ObservedState {}

    /** The session died and is being opened again. */
    record Lost(String cause) implements ObservedState {}

    /** The session keeps dying. The next one opens after a wait. */
    record CrashLooping(int deaths, String cause) implements ObservedState {}

    /**
     * No session could be opened.
     *
     * @param reason of the condition
     * @param served the generation whose session still serves calls; empty for none
     */
    record Unreachable(String reason, String cause, OptionalLong served) implements ObservedState {}

    /** A container that orlojd does not own, and in which the program runs, is not running. */
    record ContainerGone(String cause) implements ObservedState {}

    /** No session is open and none is needed. The next call opens one. */
    record Asleep(String why) implements ObservedState {}

    /** A session is open, and its tools have not changed. */
    record Open(ServerIdentity identity) implements ObservedState {}

    /** A session is open, and its tools are being listed for the first time. */
    record Listing(ServerIdentity identity, Instant since) implements ObservedState {}

    /**
     * The tools were listed and written.
     *
     * @param notes what was left out and why, one sentence each
     * @param gateways the ids of the gateways that the tools come through
     * @param approval whether all definitions are served; empty if the server has no policy
     */
    record Synced(
            ServerIdentity identity,
            ToolPlan plan,
            List<String> notes,
            List<String> gateways,
            Optional<Condition> approval)
            implements ObservedState {}

    /**
     * The Tools were written anew from the latest listing, after a decision about its definitions.
     */
    record Reviewed(ToolPlan plan, ServerDescription description, Optional<Condition> approval)
            implements ObservedState {}

    /**
     * A session is open and its tools are listed. There are so many that writing them takes a
     * while.
     *
     * @param writes the number of Tools to write
     */
    record Syncing(ServerIdentity identity, int writes) implements ObservedState {}

    /** A session is open, and its tools could not be listed or written. */
    record NotSynced(ServerIdentity identity, String reason, String cause)
            implements ObservedState {}

    /** The server is being deleted. */
    record Leaving() implements ObservedState {}
}
