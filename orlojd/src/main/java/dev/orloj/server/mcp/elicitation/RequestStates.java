package dev.orloj.server.mcp.elicitation;

import dev.orloj.api.codec.Json;
import dev.orloj.server.security.SealedContent;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;

import javax.crypto.SecretKey;

/**
 * Encrypts and authenticates the {@code requestState} that a client returns with the next round of
 * a suspended request, with a key that all replicas share: only Orloj can read, change or make one.
 * Thread-safe.
 */
public final class RequestStates {

    private static final byte[] PURPOSE =
            "orloj mcp request state".getBytes(StandardCharsets.US_ASCII);
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    private final SealedContent states;

    /**
     * @param key of AES
     */
    public RequestStates(SecretKey key) {
        this.states = new SealedContent(key);
    }

    /**
     * The content of a state.
     *
     * @param call the suspended call
     * @param owner the replica that has it
     * @param caller the only client that may continue it
     * @param request digest of the request, which has to be the same in each round
     */
    public record State(
            String call, String owner, String caller, String request, Instant expiresAt) {}

    String seal(State state) {
        ObjectNode content = Json.MAPPER.createObjectNode();
        content.put("i", state.call());
        content.put("o", state.owner());
        content.put("c", state.caller());
        content.put("r", state.request());
        content.put("t", state.expiresAt().toEpochMilli());
        return ENCODER.encodeToString(states.seal(Json.MAPPER.writeValueAsBytes(content), PURPOSE));
    }

    /** The content of a state; empty when it was not issued here. */
    Optional<State> open(String text) {
        try {
            return states.open(Base64.getUrlDecoder().decode(text), PURPOSE)
                    .map(content -> read(Json.MAPPER.readTree(content)));
        } catch (IllegalArgumentException | JacksonException e) {
            return Optional.empty();
        }
    }

    private static State read(JsonNode content) {
        return new State(
                content.path("i").asString(""),
                content.path("o").asString(""),
                content.path("c").asString(""),
                content.path("r").asString(""),
                Instant.ofEpochMilli(content.path("t").asLong(0)));
    }
}
