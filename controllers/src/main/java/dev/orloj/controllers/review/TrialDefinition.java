package dev.orloj.controllers.review;

import dev.orloj.api.ObjectMeta;
import dev.orloj.api.ResourceVersion;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerSpec.Hosting;
import dev.orloj.runtime.client.SessionPolicy;
import dev.orloj.runtime.container.spec.PodReuse;
import dev.orloj.runtime.limit.CallLimits;
import dev.orloj.runtime.session.definition.ReconnectPolicy;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.definition.SessionSharing;
import dev.orloj.runtime.session.definition.Timeouts;
import dev.orloj.runtime.transport.ServerAddress;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Makes what opens the session of a trial: the same program, with less time and one attempt. */
final class TrialDefinition {

    /** No McpServer has a name with a dot. */
    private static final String PREFIX = "check.";

    private static final Duration MAX_GRACE = Duration.ofSeconds(5);
    private static final Duration MAX_CALL = Duration.ofSeconds(30);
    private static final SessionPolicy POLICY =
            new SessionPolicy(Optional.empty(), Duration.ZERO, 0, Optional.of(Duration.ZERO));

    private TrialDefinition() {}

    /** Returns the server under a name that no stored server has, so that both go apart. */
    static McpServer nameless(McpServer proposed) {
        ObjectMeta given = proposed.metadata();
        return proposed.withMetadata(
                new ObjectMeta(
                        PREFIX + given.name(),
                        "",
                        given.namespace(),
                        "check-" + UUID.randomUUID(),
                        ResourceVersion.UNSET,
                        0,
                        null,
                        null,
                        null,
                        given.labels(),
                        given.annotations(),
                        List.of(),
                        List.of(),
                        null));
    }

    /** Returns the name of the Sandbox that a server runs in; empty for none. */
    static String sandboxOf(McpServer server) {
        return server.spec().hosting() instanceof Hosting.InSandbox(_, String name) ? name : "";
    }

    static ServerDefinition of(ServerDefinition usual, Duration timeout) {
        Timeouts timeouts = usual.timeouts();
        return new ServerDefinition(
                usual.server(),
                usual.key(),
                hurried(usual.address()),
                new ReconnectPolicy(1, Duration.ZERO),
                new Timeouts(
                        Duration.ZERO,
                        shorter(shorter(timeouts.call(), MAX_CALL), timeout),
                        shorter(timeouts.startup(), timeout),
                        Duration.ZERO),
                CallLimits.DEFAULT,
                POLICY,
                usual.output(),
                SessionSharing.ONE,
                usual.requestPolicy(),
                usual.argumentMode(),
                usual.maxMessageBytes(),
                usual.resultPolicy(),
                usual.secrets(),
                false);
    }

    /** A server that ignores the end of its stdin must not hold the check for long. */
    private static ServerAddress hurried(ServerAddress address) {
        return switch (address) {
            case ServerAddress.Stdio(var command, var env, Duration grace, var user) ->
                    new ServerAddress.Stdio(command, env, shorter(grace, MAX_GRACE), user);
            case ServerAddress.Container(var spec, Duration grace) ->
                    new ServerAddress.Container(spec, shorter(grace, MAX_GRACE));
            case ServerAddress.Pod(var spec, var template, Duration grace, _) ->
                    new ServerAddress.Pod(
                            spec, template, shorter(grace, MAX_GRACE), new PodReuse.None());
            case ServerAddress.Exec(var target, var command, var env, Duration grace) ->
                    new ServerAddress.Exec(target, command, env, shorter(grace, MAX_GRACE));
            case ServerAddress.Http http -> http;
            case ServerAddress.Sse sse -> sse;
        };
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
