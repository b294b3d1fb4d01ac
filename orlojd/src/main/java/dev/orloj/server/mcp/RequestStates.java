package dev.orloj.server.mcp;

import dev.orloj.api.codec.Json;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Seals what an agent has to bring back with the next round of a parked request, with a key that
 * all replicas have: nobody else can read it, change it or make one up. Thread-safe.
 */
final class RequestStates {

    private static final String ALGORITHM = "AES/GCM/NoPadding";
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final byte[] PURPOSE =
            "orloj mcp request state".getBytes(StandardCharsets.US_ASCII);

    private final SecretKey key;
    private final SecureRandom random = new SecureRandom();

    /**
     * @param key of AES
     */
    RequestStates(SecretKey key) {
        this.key = key;
    }

    /**
     * What is sealed.
     *
     * @param call the parked call
     * @param owner the replica that has it
     * @param caller who alone may continue it
     * @param request digest of the request, which has to be the same in each round
     */
    record State(String call, String owner, String caller, String request, Instant expiresAt) {}

    String seal(State state) {
        ObjectNode content = Json.MAPPER.createObjectNode();
        content.put("i", state.call());
        content.put("o", state.owner());
        content.put("c", state.caller());
        content.put("r", state.request());
        content.put("t", state.expiresAt().toEpochMilli());
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            byte[] sealed =
                    cipher(Cipher.ENCRYPT_MODE, nonce)
                            .doFinal(Json.MAPPER.writeValueAsBytes(content));
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(
                            ByteBuffer.allocate(nonce.length + sealed.length)
                                    .put(nonce)
                                    .put(sealed)
                                    .array());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-GCM failed", e);
        }
    }

    /** What is in a state; empty when it was not sealed here. */
    Optional<State> open(String text) {
        try {
            byte[] envelope = Base64.getUrlDecoder().decode(text);
            if (envelope.length <= NONCE_BYTES) {
                return Optional.empty();
            }
            byte[] nonce = Arrays.copyOf(envelope, NONCE_BYTES);
            byte[] plain =
                    cipher(Cipher.DECRYPT_MODE, nonce)
                            .doFinal(envelope, NONCE_BYTES, envelope.length - NONCE_BYTES);
            return Optional.of(read(Json.MAPPER.readTree(plain)));
        } catch (IllegalArgumentException | GeneralSecurityException | JacksonException e) {
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

    private Cipher cipher(int mode, byte[] nonce) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(ALGORITHM);
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(PURPOSE);
        return cipher;
    }
}
