package dev.orloj.runtime.testkit;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.argument.ArgumentMode;
import dev.orloj.runtime.client.ServerRequestPolicy;
import dev.orloj.runtime.client.SessionPolicy;
import dev.orloj.runtime.examination.ResultPolicy;
import dev.orloj.runtime.isolation.Isolation;
import dev.orloj.runtime.limit.CallLimits;
import dev.orloj.runtime.listing.ListingLimits;
import dev.orloj.runtime.result.OutputLimit;
import dev.orloj.runtime.session.definition.ReconnectPolicy;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.definition.SessionKey;
import dev.orloj.runtime.session.definition.SessionSharing;
import dev.orloj.runtime.session.definition.Timeouts;
import dev.orloj.runtime.transport.ServerAddress;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Definitions of servers, for tests: one of everything, to be varied. */
public final class Definitions {

    /** The limits of servers whose manifests set none. */
    public static final ListingLimits LISTING =
            ListingLimits.Ceilings.DEFAULT.limits(null, null, null);

    private Definitions() {}

    /** One attempt, never idle, thirty seconds for everything. */
    public static ServerDefinition server(String name) {
        return new ServerDefinition(
                new ResourceKey("default", name),
                new SessionKey("uid-" + name, 1, "digest"),
                new ServerAddress.Stdio(List.of(name), Map.of(), Duration.ofSeconds(1)),
                new ReconnectPolicy(1, Duration.ofSeconds(2)),
                new Timeouts(
                        Duration.ZERO,
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(30),
                        Duration.ZERO));
    }

    /** A later generation that is reached in another way. */
    public static ServerDefinition generation(ServerDefinition of, long generation) {
        String connection = generation == 1 ? "digest" : "digest of " + generation;
        return withKey(of, new SessionKey(of.key().serverUid(), generation, connection));
    }

    /** A later generation that is reached as this one is. */
    public static ServerDefinition edited(ServerDefinition of, long generation) {
        SessionKey key = of.key();
        return withKey(of, new SessionKey(key.serverUid(), generation, key.connection()));
    }

    public static ServerDefinition withKey(ServerDefinition of, SessionKey key) {
        return vary(of, draft -> draft.key = key);
    }

    public static ServerDefinition withReconnect(
            ServerDefinition of, int attempts, Duration backoff) {
        return vary(of, draft -> draft.reconnect = new ReconnectPolicy(attempts, backoff));
    }

    public static ServerDefinition withIdleTimeout(ServerDefinition of, Duration idleTimeout) {
        return vary(of, draft -> draft.idleTimeout = idleTimeout);
    }

    public static ServerDefinition withAddress(ServerDefinition of, ServerAddress address) {
        return vary(of, draft -> draft.address = address);
    }

    public static ServerDefinition withIdleCallTimeout(
            ServerDefinition of, Duration idleCallTimeout) {
        return vary(of, draft -> draft.idleCallTimeout = idleCallTimeout);
    }

    public static ServerDefinition withLimits(ServerDefinition of, CallLimits limits) {
        return vary(of, draft -> draft.limits = limits);
    }

    public static ServerDefinition withPolicy(ServerDefinition of, SessionPolicy policy) {
        return vary(of, draft -> draft.policy = policy);
    }

    public static ServerDefinition withOutput(ServerDefinition of, OutputLimit output) {
        return vary(of, draft -> draft.output = output);
    }

    public static ServerDefinition withMaxSessions(ServerDefinition of, int maxSessions) {
        return vary(of, draft -> draft.maxSessions = maxSessions);
    }

    public static ServerDefinition asSingleton(ServerDefinition of) {
        return vary(of, draft -> draft.singleton = true);
    }

    public static ServerDefinition withBridge(ServerDefinition of, ServerRequestPolicy bridge) {
        return vary(of, draft -> draft.bridge = bridge);
    }

    public static ServerDefinition withIsolation(ServerDefinition of, Isolation isolation) {
        return vary(of, draft -> draft.isolation = isolation);
    }

    public static ServerDefinition withArguments(ServerDefinition of, ArgumentMode mode) {
        return vary(of, draft -> draft.argumentMode = mode);
    }

    public static ServerDefinition withResults(ServerDefinition of, ResultPolicy policy) {
        return vary(of, draft -> draft.resultPolicy = policy);
    }

    /** A server about whose definitions a policy decides. */
    public static ServerDefinition withToolPolicy(ServerDefinition of) {
        return vary(of, draft -> draft.hasToolPolicy = true);
    }

    private static ServerDefinition vary(ServerDefinition of, Consumer<Draft> change) {
        Draft draft = new Draft(of);
        change.accept(draft);
        return draft.finish();
    }

    /** A definition whose parts can still be exchanged. */
    private static final class Draft {

        private final ServerDefinition origin;
        private SessionKey key;
        private ServerAddress address;
        private ReconnectPolicy reconnect;
        private Duration idleTimeout;
        private Duration idleCallTimeout;
        private CallLimits limits;
        private SessionPolicy policy;
        private OutputLimit output;
        private int maxSessions;
        private boolean singleton;
        private ServerRequestPolicy bridge;
        private Isolation isolation;
        private ArgumentMode argumentMode;
        private ResultPolicy resultPolicy;
        private boolean hasToolPolicy;

        Draft(ServerDefinition origin) {
            this.origin = origin;
            this.key = origin.key();
            this.address = origin.address();
            this.reconnect = origin.reconnect();
            this.idleTimeout = origin.timeouts().idle();
            this.idleCallTimeout = origin.timeouts().idleCall();
            this.limits = origin.limits();
            this.policy = origin.policy();
            this.output = origin.output();
            this.maxSessions = origin.sharing().maxSessions();
            this.singleton = origin.sharing().singleton();
            this.bridge = origin.requestPolicy();
            this.isolation = origin.sharing().isolation();
            this.argumentMode = origin.argumentMode();
            this.resultPolicy = origin.resultPolicy();
            this.hasToolPolicy = origin.hasToolPolicy();
        }

        ServerDefinition finish() {
            return new ServerDefinition(
                    origin.server(),
                    key,
                    address,
                    reconnect,
                    new Timeouts(
                            idleTimeout,
                            origin.timeouts().call(),
                            origin.timeouts().startup(),
                            idleCallTimeout),
                    limits,
                    policy,
                    output,
                    new SessionSharing(maxSessions, singleton, isolation),
                    bridge,
                    argumentMode,
                    origin.maxMessageBytes(),
                    resultPolicy,
                    origin.secrets(),
                    hasToolPolicy);
        }
    }
}
