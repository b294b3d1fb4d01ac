package dev.orloj.server.replica;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.api.codec.Json;
import dev.orloj.server.security.Hmac;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

import javax.crypto.SecretKey;

/**
 * Shows that a request comes from a replica, by a key that all replicas have and nobody else. A
 * token is good for one request to one replica: for its method, path and body, once, and for a
 * short time. Thread-safe.
 */
final class ReplicaTokens {

    /** Time for the way, and for clocks that differ. */
    static final Duration LIFETIME = Duration.ofSeconds(30);

    private final Hmac hmac;
    private final String self;
    private final InstantSource clock;

    /** Until when, in the order in which they came. */
    @GuardedBy("this")
    private final Map<String, Instant> used = new LinkedHashMap<>();

    /** What a token is good for. */
    record Request(String method, String path, byte[] body) {

        private String text() {
            try {
                byte[] digest = MessageDigest.getInstance("SHA-256").digest(body);
                return method + "\n" + path + "\n" + HexFormat.of().formatHex(digest);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /**
     * @param self which replica this is
     */
    ReplicaTokens(SecretKey key, String self, InstantSource clock) {
        this.hmac = new Hmac(key);
        this.self = self;
        this.clock = clock;
    }

    String sign(String replica, Request request) {
        String content =
                encode(
                        Json.MAPPER.writeValueAsBytes(
                                Json.MAPPER
                                        .createObjectNode()
                                        .put("to", replica)
                                        .put("id", UUID.randomUUID().toString())
                                        .put("end", clock.instant().plus(LIFETIME).toString())));
        return content + "." + encode(signature(content, request));
    }

    /**
     * @throws ReplicaRefusedException when the token is not good for the request here and now
     */
    void require(String token, Request request) {
        String[] parts = token.split("\\.", 2);
        try {
            byte[] signature = Base64.getUrlDecoder().decode(parts[parts.length - 1]);
            if (!MessageDigest.isEqual(signature, signature(parts[0], request))) {
                throw new ReplicaRefusedException(
                        "the token fits neither the request nor the key: all replicas need the same"
                                + " key of the Secrets (--secret-key-file)");
            }
            check(Json.MAPPER.readTree(Base64.getUrlDecoder().decode(parts[0])));
        } catch (IllegalArgumentException | JacksonException e) {
            throw new ReplicaRefusedException("the token is none that a replica makes");
        }
    }

    private void check(JsonNode content) {
        String replica = content.path("to").asString("");
        if (!replica.equals(self)) {
            throw new ReplicaRefusedException(
                    "the request is for the replica \"%s\", and this is \"%s\": each needs an --advertise-url of its own"
                            .formatted(replica, self));
        }
        Instant now = clock.instant();
        Instant end = Instant.parse(content.path("end").asString(""));
        if (end.isBefore(now) || end.isAfter(now.plus(LIFETIME.multipliedBy(2)))) {
            throw new ReplicaRefusedException(
                    "the token is good until %s, and here it is %s: the clocks of the hosts have to agree within %d s"
                            .formatted(end, now, LIFETIME.toSeconds()));
        }
        use(content.path("id").asString(""), now);
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

    private byte[] signature(String content, Request request) {
        return hmac.of((content + "\n" + request.text()).getBytes(StandardCharsets.UTF_8));
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
