package dev.orloj.api.audit;

import dev.orloj.api.codec.Json;
import dev.orloj.api.signature.Ed25519Key;
import dev.orloj.api.signature.Sha256;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;

/**
 * What the log had come to at some time, signed: kept elsewhere, it shows whether records were
 * removed or replaced since.
 *
 * @param sequence of the last record, which is also the number of records that were ever written; 0
 *     before the first
 * @param hash of that record
 * @param time when it was signed, as in RFC 3339
 * @param publicKey an Ed25519 key as a SubjectPublicKeyInfo, in base64
 * @param signature in base64
 */
public record AuditCheckpoint(
        long sequence, String hash, String time, String publicKey, String signature) {

    public static final String KIND = "AuditCheckpoint";

    private static final String API_VERSION = "orloj.dev/v1";
    private static final int KEY_ID_BYTES = 8;

    /** Returns what is signed. */
    public static byte[] content(long sequence, String hash, String time) {
        return "orloj audit checkpoint\n%d\n%s\n%s\n"
                .formatted(sequence, hash, time)
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Returns whether the signature is that of its key. */
    public boolean isSigned() {
        try {
            return new Ed25519Key(publicKey)
                    .verifies(content(sequence, hash, time), Base64.getDecoder().decode(signature));
        } catch (IllegalArgumentException e) { // no Base64
            return false;
        }
    }

    /** Returns a short name of the key: the beginning of its SHA-256. */
    public String keyId() {
        return HexFormat.of().formatHex(Sha256.digest(publicKey), 0, KEY_ID_BYTES);
    }

    public ObjectNode toJson() {
        ObjectNode document = Json.MAPPER.createObjectNode();
        return document.put("apiVersion", API_VERSION)
                .put("kind", KIND)
                .put("sequence", sequence)
                .put("hash", hash)
                .put("time", time)
                .put("keyID", keyId())
                .put("publicKey", publicKey)
                .put("signature", signature);
    }

    /** Reads a checkpoint; empty when the text is something else. */
    public static Optional<AuditCheckpoint> parse(String text) {
        try {
            JsonNode document = Json.MAPPER.readTree(text);
            if (!document.path("kind").asString("").equals(KIND)) {
                return Optional.empty();
            }
            return Optional.of(
                    new AuditCheckpoint(
                            document.path("sequence").asLong(-1),
                            document.path("hash").asString(""),
                            document.path("time").asString(""),
                            document.path("publicKey").asString(""),
                            document.path("signature").asString("")));
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }
}
