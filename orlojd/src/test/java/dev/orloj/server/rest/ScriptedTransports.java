package dev.orloj.server.rest;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.runtime.clock.Scheduler;
import dev.orloj.runtime.session.SessionInfo;
import dev.orloj.runtime.session.SessionListener;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.session.definition.SessionSettings;
import dev.orloj.runtime.transport.OutgoingRequest;
import dev.orloj.runtime.transport.ProtocolRevision;
import dev.orloj.runtime.transport.RequestDeadline;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.runtime.transport.Transport;
import dev.orloj.runtime.transport.TransportListener;
import dev.orloj.runtime.transport.TransportStats;
import dev.orloj.runtime.transport.Transports;
import dev.orloj.runtime.workload.LogBuffer;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.Function;

/** MCP servers that live in the test: every call of a tool is answered by one function. */
public final class ScriptedTransports implements Transports {

    /** Where a server of 2026-07-28 is; all others are older. */
    public static final ServerAddress NEWEST =
            new ServerAddress.Stdio(List.of("newest"), Map.of(), Duration.ofSeconds(1));

    private volatile BiFunction<String, JsonNode, JsonNode> others =
            (method, params) -> Json.MAPPER.createObjectNode();
    private volatile @Nullable TransportListener latest;
    private volatile Function<JsonNode, JsonNode> answer = params -> Json.MAPPER.nullNode();

    /**
     * @param script gets the params of {@code tools/call}; what it throws the transport throws
     */
    public void answerWith(Function<JsonNode, JsonNode> script) {
        answer = script;
    }

    /**
     * @param script gets the methods and params of all other requests
     */
    public void answerOthersWith(BiFunction<String, JsonNode, JsonNode> script) {
        others = script;
    }

    /** What the server says unasked, in the session that was opened last. */
    public void say(String method, JsonNode params) {
        Objects.requireNonNull(latest, "no session").onNotification(method, params);
    }

    @Override
    public Transport create(ServerAddress address, LogBuffer stderr, String label) {
        stderr.append("starting " + label);
        return new Scripted(address.equals(NEWEST));
    }

    SessionManager sessionManager() {
        return new SessionManager(
                this,
                new Silent(),
                new NoAlarms(),
                new Random(7),
                SessionSettings.withVersion("test"));
    }

    private final class Scripted implements Transport {

        private final boolean newest;
        private volatile boolean open;

        Scripted(boolean newest) {
            this.newest = newest;
        }

        @Override
        public void open(TransportListener listener) {
            latest = listener;
            open = true;
        }

        @Override
        public JsonNode request(OutgoingRequest request, RequestDeadline deadline) {
            return switch (request.method()) {
                case "initialize" ->
                        Json.MAPPER.readTree(
                                """
                                {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                                 "serverInfo": {"name": "scripted", "version": "1"}}\
                                """);
                case "tools/call" -> answer.apply(Objects.requireNonNull(request.params()));
                case "server/discover" -> discovery();
                default ->
                        others.apply(
                                request.method(),
                                request.params() == null
                                        ? Json.MAPPER.createObjectNode()
                                        : request.params());
            };
        }

        private JsonNode discovery() {
            return newest
                    ? Json.MAPPER.readTree(
                            """
                            {"resultType": "complete", "supportedVersions": ["2026-07-28"],
                             "capabilities": {"tools": {}}, "ttlMs": 0, "cacheScope": "public"}\
                            """)
                    : Json.MAPPER.createObjectNode();
        }

        @Override
        public void notify(String method, @Nullable JsonNode params) {}

        @Override
        public void negotiated(ProtocolRevision revision) {}

        @Override
        public boolean isOpen() {
            return open;
        }

        @Override
        public Optional<Long> pid() {
            return Optional.of(4711L);
        }

        @Override
        public TransportStats stats() {
            return TransportStats.NONE;
        }

        @Override
        public void close() {
            open = false;
        }
    }

    private record Silent() implements SessionListener {

        @Override
        public void opened(ResourceKey server, SessionInfo session) {}

        @Override
        public void closed(
                ResourceKey server, SessionInfo session, String cause, boolean failure) {}

        @Override
        public void toolsChanged(ResourceKey server) {}
    }

    private record NoAlarms() implements Scheduler {

        @Override
        public Instant instant() {
            return Instant.now();
        }

        @Override
        public Task schedule(Duration delay, Runnable task) {
            return () -> {};
        }
    }
}
