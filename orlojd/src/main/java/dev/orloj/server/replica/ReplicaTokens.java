package dev.orloj.server.replica;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.api.codec.Json;
import dev.orloj.api.signature.Sha256;
import dev.orloj.server.security.SignedContent;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

import javax.crypto.SecretKey;

/**
 * Signs and verifies requests between replicas with a key that only the replicas share. A token
 * authorizes one request to one replica: for its method, path and body, once, and for a short time.
 * It contains the digest of the body, so that it can be verified before the body is read.
 * Thread-safe.
 */
final class ReplicaTokens {

    /** Allows for network latency and clock skew. */
    static final Duration LIFETIME = Duration.ofSeconds(30);

    private final SignedContent tokens;
    private final String self;
    private final InstantSource clock;

    /** The used tokens with the end of their lifetime, in order of arrival. */
    @GuardedBy("this")
    private final Map<String, Instant> used = new LinkedHashMap<>();

    /** The body that a token authorizes. */
    record ExpectedBody(String sha256) {

        /**
         * @throws ReplicaRefusedException when the body differs
         */
        void require(byte[] body) {
            if (!Sha256.hex(body).equals(sha256)) {
                throw new ReplicaRefusedException("the token is for a request with another body");
            }
        }
    }

    /**
     * @param self the id of this replica
     */
    ReplicaTokens(SecretKey key, String self, InstantSource clock) {
        this.tokens = new SignedContent(key);
        this.self = self;
        this.clock = clock;
    }

    String sign(String replica, String method, String path, byte[] body) {
        return tokens.sign(
                Json.MAPPER.writeValueAsBytes(
                        Json.MAPPER
                                .createObjectNode()
                                .put("to", replica)
                                .put("id", UUID.randomUUID().toString())
                                .put("end", clock.instant().plus(LIFETIME).toString())
                                .put("method", method)
                                .put("path", path)
                                .put("sha256", Sha256.hex(body))));
    }

    /**
     * Verifies everything but the body, which the caller verifies. Uses up the token.
     *
     * @throws ReplicaRefusedException when the token does not authorize this request here and now
     */
    ExpectedBody require(String token, String method, String path) {
        byte[] signed =
                tokens.open(token)
                        .orElseThrow(
                                () ->
                                        new ReplicaRefusedException(
                                                "the token is not signed with the key of this"
                                                        + " replica: all replicas need the same key"
                                                        + " of the Secrets (--secret-key-file)"));
        try {
            JsonNode content = Json.MAPPER.readTree(signed);
            if (!text(content, "method").equals(method) || !text(content, "path").equals(path)) {
                throw new ReplicaRefusedException("the token is for another request");
            }
            check(content);
            return new ExpectedBody(text(content, "sha256"));
        } catch (DateTimeException | JacksonException e) {
            throw new ReplicaRefusedException(
                    "the token is of another version of orlojd: all replicas have to run the same");
        }
    }

    private void check(JsonNode content) {
        String replica = text(content, "to");
        if (!replica.equals(self)) {
            throw new ReplicaRefusedException(
                    "the request is for the replica \"%s\", and this is \"%s\": each needs an --advertise-url of its own"
                            .formatted(replica, self));
        }
        Instant now = clock.instant();
        Instant end = Instant.parse(text(content, "end"));
        if (end.isBefore(now) || end.isAfter(now.plus(LIFETIME.multipliedBy(2)))) {
            throw new ReplicaRefusedException(
                    "the token is good until %s, and here it is %s: the clocks of the hosts have to agree within %d s"
                            .formatted(end, now, LIFETIME.toSeconds()));
        }
        use(text(content, "id"), now);
    }

    private synchronized void use(String id, Instant now) {
        Iterator<Instant> oldest = used.values().iterator();
        while (oldest.hasNext() && oldest.next().isBefore(now)) {
            oldest.remove();
        }
        if (used.putIfAbsent(id, now.plus(LIFETIME.multipliedBy(2))) != null) {
            throw new ReplicaRefusedException("the token was used before");
        }
    }

    private static String text(JsonNode content, String member) {
        return content.path(member).asString("");
    }
}
