package dev.orloj.server.audit;

import dev.orloj.api.audit.AuditCheckpoint;
import dev.orloj.server.security.SigningKey;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;

import javax.crypto.SecretKey;

/** Signs checkpoints of the log. Thread-safe. */
final class CheckpointKey {

    private final SigningKey key;

    /**
     * @param seed 32 bytes, the same at all replicas
     */
    CheckpointKey(SecretKey seed) {
        this.key = new SigningKey(seed);
    }

    AuditCheckpoint sign(long sequence, String hash, Instant now) {
        String time = now.truncatedTo(ChronoUnit.SECONDS).toString();
        byte[] signature = key.sign(AuditCheckpoint.content(sequence, hash, time));
        return new AuditCheckpoint(
                sequence,
                hash,
                time,
                key.publicKey().text(),
                Base64.getEncoder().encodeToString(signature));
    }
}
