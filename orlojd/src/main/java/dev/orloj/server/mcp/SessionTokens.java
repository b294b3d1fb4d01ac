package dev.orloj.server.mcp;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.session.ClientCapabilities;
import dev.orloj.runtime.transport.ProtocolRevision;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;

import javax.crypto.Mac;
import javax.crypto.SecretKey;

/**
 * Makes session ids that need no memory: the session itself, signed with a key that all replicas
 * have. Thread-safe.
 */
final class SessionTokens {

    /** An agent whose session is over opens another one by itself. */
    private static final Duration LIFETIME = Duration.ofDays(7);

    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKey key;
    private final InstantSource clock;

    SessionTokens(SecretKey key, InstantSource clock) {
        this.key = key;
        this.clock = clock;
    }

    String sign(ClientSession session) {
        ObjectNode content = Json.MAPPER.createObjectNode();
        content.put("i", session.id());
        content.put("v", session.revision().version());
        content.put("s", session.scope());
        content.put("t", session.openedAt().getEpochSecond());
        session.capabilities().names().forEach(content.putArray("c")::add);
        String text = encode(Json.MAPPER.writeValueAsBytes(content));
        return text + "." + encode(signature(text));
    }

    /** The session of a token; empty when it was not made here, or long ago. */
    Optional<ClientSession> verify(String token) {
        int dot = token.indexOf('.');
        if (dot < 0) {
            return Optional.empty();
        }
        String text = token.substring(0, dot);
        try {
            byte[] signature = Base64.getUrlDecoder().decode(token.substring(dot + 1));
            if (!MessageDigest.isEqual(signature, signature(text))) {
                return Optional.empty();
            }
            return read(Json.MAPPER.readTree(Base64.getUrlDecoder().decode(text)))
                    .filter(session -> clock.instant().isBefore(session.openedAt().plus(LIFETIME)));
        } catch (IllegalArgumentException | JacksonException e) {
            return Optional.empty();
        }
    }

    /** One of another version of Orloj may know another revision. */
    private static Optional<ClientSession> read(JsonNode content) {
        return ProtocolRevision.of(content.path("v").asString(""))
                .map(
                        revision ->
                                new ClientSession(
                                        content.path("i").asString(""),
                                        revision,
                                        content.path("s").asString(""),
                                        Instant.ofEpochSecond(content.path("t").asLong(0)),
                                        ClientCapabilities.ofNames(
                                                content.path("c")
                                                        .valueStream()
                                                        .map(JsonNode::asString)
                                                        .toList())));
    }

    private byte[] signature(String text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac.doFinal(text.getBytes(StandardCharsets.US_ASCII));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(ALGORITHM + " failed", e);
        }
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
