package dev.orloj.server.mcp.session;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.call.CallRequest;
import dev.orloj.runtime.client.ClientCapabilities;
import dev.orloj.runtime.transport.ProtocolRevision;
import dev.orloj.server.mcp.protocol.ClientSession;
import dev.orloj.server.security.SignedContent;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import javax.crypto.SecretKey;

/**
 * Issues and verifies session ids that need no stored state: the id is the session itself, signed
 * with a key that all replicas share. Thread-safe.
 */
public final class SessionTokens {

    /** A client whose session has expired opens another one by itself. */
    private static final Duration LIFETIME = Duration.ofDays(7);

    /** Bounds the memory of one replica. */
    private static final int MAX_VERIFIED = 10_000;

    private final SignedContent tokens;
    private final InstantSource clock;

    /** By token, for repeated use: to verify a token takes as long as a tenth of a call. */
    private final ConcurrentMap<String, ClientSession> verified = new ConcurrentHashMap<>();

    public SessionTokens(SecretKey key, InstantSource clock) {
        this.tokens = new SignedContent(key);
        this.clock = clock;
    }

    String sign(ClientSession session) {
        ObjectNode content = Json.MAPPER.createObjectNode();
        content.put("i", session.id());
        content.put("v", session.revision().version());
        content.put("s", session.scope());
        content.put("t", session.openedAt().getEpochSecond());
        if (!session.caller().equals(CallRequest.ANYBODY)) {
            content.put("u", session.caller());
        }
        if (session.hadRights()) {
            content.put("r", true);
        }
        session.capabilities().names().forEach(content.putArray("c")::add);
        ObjectNode extensions = session.capabilities().extensions();
        if (!extensions.isEmpty()) {
            content.set("x", extensions);
        }
        return tokens.sign(Json.MAPPER.writeValueAsBytes(content));
    }

    /** The session of a token; empty when it was not issued here, or has expired. */
    Optional<ClientSession> verify(String token) {
        Optional<ClientSession> known = Optional.ofNullable(verified.get(token));
        if (known.isPresent()) {
            return known.filter(this::isCurrent);
        }
        Optional<ClientSession> session = open(token).filter(this::isCurrent);
        session.ifPresent(current -> remember(token, current));
        return session;
    }

    private boolean isCurrent(ClientSession session) {
        return !isOver(session.openedAt(), clock.instant());
    }

    /** Whether the token of a session has expired. */
    public static boolean isOver(Instant openedAt, Instant now) {
        return !now.isBefore(openedAt.plus(LIFETIME));
    }

    private void remember(String token, ClientSession session) {
        if (verified.size() >= MAX_VERIFIED) {
            verified.clear();
        }
        verified.put(token, session);
    }

    private Optional<ClientSession> open(String token) {
        try {
            return tokens.open(token).flatMap(content -> read(Json.MAPPER.readTree(content)));
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    /** A token of another version of Orloj may name a revision that is unknown here. */
    private static Optional<ClientSession> read(JsonNode content) {
        return ProtocolRevision.of(content.path("v").asString(""))
                .map(
                        revision ->
                                new ClientSession(
                                        content.path("i").asString(""),
                                        revision,
                                        content.path("s").asString(""),
                                        Instant.ofEpochSecond(content.path("t").asLong(0)),
                                        content.path("u").asString(CallRequest.ANYBODY),
                                        ClientCapabilities.ofNames(
                                                content.path("c")
                                                        .valueStream()
                                                        .map(JsonNode::asString)
                                                        .toList(),
                                                content.path("x")),
                                        content.path("r").asBoolean(false)));
    }
}
