package dev.orloj.server.audit;

import dev.orloj.api.audit.AuditCheckpoint;

import org.bouncycastle.crypto.params.Ed25519PrivateKeyParameters;
import org.bouncycastle.crypto.signers.Ed25519Signer;
import org.bouncycastle.crypto.util.SubjectPublicKeyInfoFactory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;

import javax.crypto.SecretKey;

/**
 * Signs checkpoints. The key comes from that of the Secrets, which is outside the database: who can
 * write its tables cannot sign. Thread-safe.
 */
final class CheckpointKey {

    private final Ed25519PrivateKeyParameters key;

    /**
     * @param seed 32 bytes, the same at all replicas
     */
    CheckpointKey(SecretKey seed) {
        this.key = new Ed25519PrivateKeyParameters(seed.getEncoded(), 0);
    }

    AuditCheckpoint sign(long sequence, String hash, Instant now) {
        String time = now.truncatedTo(ChronoUnit.SECONDS).toString();
        byte[] content = AuditCheckpoint.content(sequence, hash, time);
        Ed25519Signer signer = new Ed25519Signer();
        signer.init(true, key);
        signer.update(content, 0, content.length);
        Base64.Encoder encoder = Base64.getEncoder();
        return new AuditCheckpoint(
                sequence,
                hash,
                time,
                encoder.encodeToString(publicKey()),
                encoder.encodeToString(signer.generateSignature()));
    }

    private byte[] publicKey() {
        try {
            return SubjectPublicKeyInfoFactory.createSubjectPublicKeyInfo(key.generatePublicKey())
                    .getEncoded();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
