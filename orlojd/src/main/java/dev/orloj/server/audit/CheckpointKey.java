package dev.orloj.server.audit;

import dev.orloj.api.ApiException;
import dev.orloj.api.audit.AuditCheckpoint;
import dev.orloj.server.security.CheckpointSigner;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;

import javax.crypto.SecretKey;

/** Signs checkpoints of the log. Thread-safe. */
final class CheckpointKey {

    private final CheckpointSigner key;
    private final Runnable requirement;

    /**
     * @param seed 32 bytes, the same at all replicas
     */
    CheckpointKey(SecretKey seed) {
        this(seed, () -> {});
    }

    /**
     * @param requirement throws when the seed is not that of the database
     */
    CheckpointKey(SecretKey seed, Runnable requirement) {
        this.key = new CheckpointSigner(seed);
        this.requirement = requirement;
    }

    /**
     * Signs where the log has come to.
     *
     * @throws ApiException (ServiceUnavailable) when the key of the database is lost
     */
    AuditCheckpoint sign(long sequence, String hash, Instant now) {
        requirement.run();
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
