package dev.orloj.server.token;

import dev.orloj.api.signature.Sha256;
import dev.orloj.server.store.token.SigningKeyTable.StoredKey;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;

/**
 * A key of algorithm ES256.
 *
 * @param id the digest of the public key
 */
record SigningKey(String id, PublicKey publicKey, PrivateKey privateKey, Instant createdAt) {

    static final String ALGORITHM = "ES256";

    private static final String KEYS = "EC";
    private static final String SIGNATURES = "SHA256withECDSAinP1363Format";

    static SigningKey create(Instant now) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(KEYS);
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair pair = generator.generateKeyPair();
            return of(pair.getPublic(), pair.getPrivate(), now);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static SigningKey of(PublicKey publicKey, PrivateKey privateKey, Instant createdAt)
            throws GeneralSecurityException {
        byte[] digest = Sha256.digest(publicKey.getEncoded());
        return new SigningKey(
                Base64.getUrlEncoder().withoutPadding().encodeToString(digest),
                publicKey,
                privateKey,
                createdAt);
    }

    static SigningKey of(StoredKey stored) {
        String[] parts = stored.encoded().split("\\.", 2);
        try {
            KeyFactory factory = KeyFactory.getInstance(KEYS);
            return of(
                    factory.generatePublic(new X509EncodedKeySpec(decode(parts[0]))),
                    factory.generatePrivate(new PKCS8EncodedKeySpec(decode(parts[1]))),
                    stored.createdAt());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] decode(String part) {
        return Base64.getDecoder().decode(part);
    }

    StoredKey stored() {
        Base64.Encoder encoder = Base64.getEncoder();
        return new StoredKey(
                id,
                encoder.encodeToString(publicKey.getEncoded())
                        + "."
                        + encoder.encodeToString(privateKey.getEncoded()),
                createdAt);
    }

    byte[] sign(String content) {
        try {
            Signature signature = Signature.getInstance(SIGNATURES);
            signature.initSign(privateKey);
            signature.update(content.getBytes(StandardCharsets.US_ASCII));
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    boolean verifies(String content, byte[] signed) {
        try {
            Signature signature = Signature.getInstance(SIGNATURES);
            signature.initVerify(publicKey);
            signature.update(content.getBytes(StandardCharsets.US_ASCII));
            return signature.verify(signed);
        } catch (GeneralSecurityException e) { // such as a signature of another length
            return false;
        }
    }

    @Override
    public String toString() {
        return "SigningKey[" + id + "]";
    }
}
