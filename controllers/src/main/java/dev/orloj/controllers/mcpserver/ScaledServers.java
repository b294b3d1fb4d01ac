package dev.orloj.controllers.mcpserver;

import dev.orloj.api.pod.ScaleTargetRef;
import dev.orloj.api.v1.McpServer;
import dev.orloj.controllers.control.Result;
import dev.orloj.controllers.events.ConditionMessage;
import dev.orloj.controllers.mcpserver.definition.Resolution;
import dev.orloj.runtime.scale.ScaledServer;
import dev.orloj.runtime.scale.ServerScaling;
import dev.orloj.runtime.scale.ServerScaling.Rest;
import dev.orloj.runtime.session.definition.ServerDefinition;

import java.time.Duration;
import java.util.Optional;

/** Rests servers that no call needs, and with them what runs them in the cluster. */
final class ScaledServers {

    private final ServerScaling scaling;
    private final StatusWriter status;

    ScaledServers(ServerScaling scaling, StatusWriter status) {
        this.scaling = scaling;
        this.status = status;
    }

    /**
     * Writes the status of a server without a session of its own here.
     *
     * @param ending why its latest session ended
     */
    Result rest(
            McpServer server,
            Resolution.Resolved resolved,
            Optional<SessionJournal.Ending> ending) {
        ServerDefinition definition = resolved.definition();
        Optional<ScaledServer> scaled = definition.address().scaled();
        if (scaled.isEmpty()) {
            scaling.forget(server.key());
            status.write(server, new ObservedState.Asleep(whyAsleep(ending, resolved, "")));
            return Result.DONE;
        }
        Rest rest = scaling.rest(scaled.get(), definition.timeouts().idle());
        status.write(
                server,
                opening(
                        server,
                        new ObservedState.Asleep(whyAsleep(ending, resolved, rest.note()))));
        return Result.requeueAfter(rest.lookAgain());
    }

    /** Returns for what the session that opens waits, if it is the target; else what is given. */
    ObservedState opening(McpServer server, ObservedState otherwise) {
        return scaling.scalingUp(server.key())
                .<ObservedState>map(ObservedState.ScalingUp::new)
                .orElse(otherwise);
    }

    /** A server is deleted, and its sessions are closed. */
    void delete(McpServer server) {
        ScaleTargetRef target = server.spec().http().scaleTargetRef();
        if (target != null) {
            scaling.delete(new ScaledServer(server.key(), target, Duration.ZERO));
        }
    }

    private static String whyAsleep(
            Optional<SessionJournal.Ending> ending, Resolution.Resolved resolved, String note) {
        String why =
                ending.map(e -> "The session was closed: " + e.cause())
                        .orElse("No session is open");
        String shown = ConditionMessage.of(ConditionMessage.without(resolved.secrets(), why));
        return shown
                + "; the next call opens one"
                + (note.isEmpty() ? "" : ". " + ConditionMessage.of(note));
    }
}
