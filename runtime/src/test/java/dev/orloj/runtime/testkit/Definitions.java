package dev.orloj.runtime.testkit;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.limit.CallLimits;
import dev.orloj.runtime.result.OutputLimit;
import dev.orloj.runtime.session.Reconnect;
import dev.orloj.runtime.session.ServerDefinition;
import dev.orloj.runtime.session.SessionKey;
import dev.orloj.runtime.session.Upkeep;
import dev.orloj.runtime.transport.ServerAddress;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Definitions of servers, for tests: one of everything, to be varied. */
public final class Definitions {

    private Definitions() {}

    /** One attempt, never idle, thirty seconds for everything. */
    public static ServerDefinition server(String name) {
        return new ServerDefinition(
                new ResourceKey("default", name),
                new SessionKey("uid-" + name, 1, "digest"),
                new ServerAddress.Stdio(List.of(name), Map.of(), Duration.ofSeconds(1)),
                new Reconnect(1, Duration.ofSeconds(2)),
                Duration.ZERO,
                Duration.ofSeconds(30),
                Duration.ofSeconds(30));
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
        return new ServerDefinition(
                of.server(),
                key,
                of.address(),
                of.reconnect(),
                of.idleTimeout(),
                of.callTimeout(),
                of.startupTimeout(),
                of.idleCallTimeout(),
                of.limits(),
                of.upkeep(),
                of.output(),
                of.maxSessions(),
                of.singleton());
    }

    public static ServerDefinition withReconnect(
            ServerDefinition of, int attempts, Duration backoff) {
        return new ServerDefinition(
                of.server(),
                of.key(),
                of.address(),
                new Reconnect(attempts, backoff),
                of.idleTimeout(),
                of.callTimeout(),
                of.startupTimeout(),
                of.idleCallTimeout(),
                of.limits(),
                of.upkeep(),
                of.output(),
                of.maxSessions(),
                of.singleton());
    }

    public static ServerDefinition withIdleTimeout(ServerDefinition of, Duration idleTimeout) {
        return new ServerDefinition(
                of.server(),
                of.key(),
                of.address(),
                of.reconnect(),
                idleTimeout,
                of.callTimeout(),
                of.startupTimeout(),
                of.idleCallTimeout(),
                of.limits(),
                of.upkeep(),
                of.output(),
                of.maxSessions(),
                of.singleton());
    }

    public static ServerDefinition withAddress(ServerDefinition of, ServerAddress address) {
        return new ServerDefinition(
                of.server(),
                of.key(),
                address,
                of.reconnect(),
                of.idleTimeout(),
                of.callTimeout(),
                of.startupTimeout(),
                of.idleCallTimeout(),
                of.limits(),
                of.upkeep(),
                of.output(),
                of.maxSessions(),
                of.singleton());
    }

    public static ServerDefinition withIdleCallTimeout(
            ServerDefinition of, Duration idleCallTimeout) {
        return new ServerDefinition(
                of.server(),
                of.key(),
                of.address(),
                of.reconnect(),
                of.idleTimeout(),
                of.callTimeout(),
                of.startupTimeout(),
                idleCallTimeout,
                of.limits(),
                of.upkeep(),
                of.output(),
                of.maxSessions(),
                of.singleton());
    }

    public static ServerDefinition withLimits(ServerDefinition of, CallLimits limits) {
        return new ServerDefinition(
                of.server(),
                of.key(),
                of.address(),
                of.reconnect(),
                of.idleTimeout(),
                of.callTimeout(),
                of.startupTimeout(),
                of.idleCallTimeout(),
                limits,
                of.upkeep(),
                of.output(),
                of.maxSessions(),
                of.singleton());
    }

    public static ServerDefinition withUpkeep(ServerDefinition of, Upkeep upkeep) {
        return new ServerDefinition(
                of.server(),
                of.key(),
                of.address(),
                of.reconnect(),
                of.idleTimeout(),
                of.callTimeout(),
                of.startupTimeout(),
                of.idleCallTimeout(),
                of.limits(),
                upkeep,
                of.output(),
                of.maxSessions(),
                of.singleton());
    }

    public static ServerDefinition withOutput(ServerDefinition of, OutputLimit output) {
        return new ServerDefinition(
                of.server(),
                of.key(),
                of.address(),
                of.reconnect(),
                of.idleTimeout(),
                of.callTimeout(),
                of.startupTimeout(),
                of.idleCallTimeout(),
                of.limits(),
                of.upkeep(),
                output,
                of.maxSessions(),
                of.singleton());
    }

    public static ServerDefinition withMaxSessions(ServerDefinition of, int maxSessions) {
        return new ServerDefinition(
                of.server(),
                of.key(),
                of.address(),
                of.reconnect(),
                of.idleTimeout(),
                of.callTimeout(),
                of.startupTimeout(),
                of.idleCallTimeout(),
                of.limits(),
                of.upkeep(),
                of.output(),
                maxSessions,
                of.singleton());
    }

    /** One that bears no second session. */
    public static ServerDefinition asSingleton(ServerDefinition of) {
        return new ServerDefinition(
                of.server(),
                of.key(),
                of.address(),
                of.reconnect(),
                of.idleTimeout(),
                of.callTimeout(),
                of.startupTimeout(),
                of.idleCallTimeout(),
                of.limits(),
                of.upkeep(),
                of.output(),
                1,
                true);
    }
}
