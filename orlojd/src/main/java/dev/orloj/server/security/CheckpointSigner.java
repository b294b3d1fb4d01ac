package dev.orloj.server.security;

import dev.orloj.api.signature.Ed25519Key;

import org.bouncycastle.crypto.params.Ed25519PrivateKeyParameters;
import org.bouncycastle.crypto.signers.Ed25519Signer;

import javax.crypto.SecretKey;

/**
 * Signs checkpoints with Ed25519. The key comes from that of the Secrets, which is outside the
 * database: who can write its tables cannot sign. Thread-safe.
 */
public final class CheckpointSigner {

    private final Ed25519PrivateKeyParameters key;

    /**
     * @param seed 32 bytes, the same at all replicas, and for this purpose only
     */
    public CheckpointSigner(SecretKey seed) {
        this.key = new Ed25519PrivateKeyParameters(seed.getEncoded(), 0);
    }

    public byte[] sign(byte[] content) {
        Ed25519Signer signer = new Ed25519Signer();
        signer.init(true, key);
        signer.update(content, 0, content.length);
        return signer.generateSignature();
    }

    public Ed25519Key publicKey() {
        return Ed25519Key.of(key.generatePublicKey().getEncoded());
    }
}
