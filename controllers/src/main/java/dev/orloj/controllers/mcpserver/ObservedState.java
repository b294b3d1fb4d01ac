package dev.orloj.controllers.mcpserver;

import dev.orloj.controllers.mcpserver.tools.ToolPlan;
import dev.orloj.runtime.client.ServerIdentity;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;

/** The observed state of a server; each becomes one status. */
sealed interface ObservedState {

    /** Nothing can be done until the manifest or a Secret changes. */
    record Refused(String reason, String message) implements ObservedState {}

    /** The manifest wants no session. */
    record Suspended(String why) implements ObservedState {}

    /**
     * A session is being opened.
     *
     * @param served the generation whose session serves calls until then; empty for none
     * @param failed what came of the latest attempt, a sentence; empty when this is the first
     * @param since when the opening began
     * @param atMost how long the server may take to start
     */
    record Connecting(OptionalLong served, String failed, Instant since, Duration atMost)
            implements ObservedState {}

    /** The session is unchanged; the state of its container may have changed. */
    record Unchanged() implements ObservedState {}

    /** The session died and is being opened again. */
    record Lost(String cause) implements ObservedState {}

    /** The session keeps dying; there is a wait before the next is opened. */
    record CrashLooping(int deaths, String cause) implements ObservedState {}

    /**
     * No session opened.
     *
     * @param served the generation whose session goes on serving calls; empty for none
     */
    record Unreachable(String cause, OptionalLong served) implements ObservedState {}

    /** Somebody else's container, in which the program ran or should run, does not run. */
    record ContainerGone(String cause) implements ObservedState {}

    /** No session is open and none is needed: a call opens one. */
    record Asleep(String why) implements ObservedState {}

    /** A session is open, and its tools have not changed. */
    record Open(ServerIdentity identity) implements ObservedState {}

    /** A session is open, and its tools are being listed for the first time. */
    record Listing(ServerIdentity identity, Instant since) implements ObservedState {}

    /**
     * The tools were listed and written.
     *
     * @param notes what was left out and why, one sentence each
     * @param gateways ids of those that the tools come through
     */
    record Synced(ServerIdentity identity, ToolPlan plan, List<String> notes, List<String> gateways)
            implements ObservedState {}

    /**
     * A session is open, its tools are listed, and so many that it takes a while are being written.
     *
     * @param writes how many Tools
     */
    record Syncing(ServerIdentity identity, int writes) implements ObservedState {}

    /** A session is open, and its tools could not be listed or written. */
    record NotSynced(ServerIdentity identity, String reason, String cause)
            implements ObservedState {}

    /** The server is being deleted. */
    record Leaving() implements ObservedState {}
}
