package dev.orloj.server.certificate;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;

/** Checks that two keys belong together, before a client finds out. */
final class KeyMatch {

    private static final byte[] SAMPLE = {1, 2, 3};

    private KeyMatch() {}

    /**
     * @throws IllegalArgumentException when they do not
     */
    static void require(PrivateKey key, PublicKey certified) {
        try {
            Signature signature = Signature.getInstance(algorithm(key.getAlgorithm()));
            signature.initSign(key);
            signature.update(SAMPLE);
            byte[] signed = signature.sign();
            signature.initVerify(certified);
            signature.update(SAMPLE);
            if (signature.verify(signed)) {
                return;
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "the private key does not belong to the certificate: " + e.getMessage(), e);
        }
        throw new IllegalArgumentException("the private key does not belong to the certificate");
    }

    private static String algorithm(String key) {
        return switch (key) {
            case "EC" -> "SHA256withECDSA";
            case "RSA" -> "SHA256withRSA";
            default -> key;
        };
    }
}
