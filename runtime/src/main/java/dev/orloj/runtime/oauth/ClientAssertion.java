package dev.orloj.runtime.oauth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;

import org.jspecify.annotations.Nullable;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.UUID;

/**
 * Signs what a client authenticates itself with instead of a secret (RFC 7523). The key is a JWK,
 * or PKCS #8 in PEM; RSA, or EC over P-256, P-384 or P-521.
 */
final class ClientAssertion {

    static final String TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

    private static final Duration LIFETIME = Duration.ofMinutes(1);
    private static final String PEM_BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String PEM_END = "-----END PRIVATE KEY-----";

    private ClientAssertion() {}

    /**
     * @param audience the issuer of the authorization server
     * @throws OAuthException when the key cannot be used
     */
    static String sign(String clientId, String privateKey, String audience, Instant now)
            throws OAuthException {
        try {
            JWK jwk = privateKey.strip().startsWith("{") ? JWK.parse(privateKey) : null;
            JWSSigner signer = jwk == null ? signer(pem(privateKey)) : signer(jwk);
            SignedJWT jwt =
                    new SignedJWT(
                            header(signer, jwk),
                            new JWTClaimsSet.Builder()
                                    .issuer(clientId)
                                    .subject(clientId)
                                    .audience(audience)
                                    .jwtID(UUID.randomUUID().toString())
                                    .issueTime(Date.from(now))
                                    .expirationTime(Date.from(now.plus(LIFETIME)))
                                    .build());
            jwt.sign(signer);
            return jwt.serialize();
        } catch (JOSEException
                | GeneralSecurityException
                | ParseException
                | IllegalArgumentException e) {
            // Messages of parsers quote their input, which is the key.
            throw OAuthException.lasting(
                    OAuthFailure.TOKEN_FAILED,
                    "the key of spec.auth.oauth.privateKeyRef cannot be used: give a private JWK or"
                            + " PKCS #8 in PEM, of RSA or of EC over P-256, P-384 or P-521");
        }
    }

    private static JWSHeader header(JWSSigner signer, @Nullable JWK jwk) {
        List<JWSAlgorithm> preferred =
                List.of(
                        JWSAlgorithm.ES256,
                        JWSAlgorithm.ES384,
                        JWSAlgorithm.ES512,
                        JWSAlgorithm.RS256);
        JWSAlgorithm algorithm =
                preferred.stream()
                        .filter(signer.supportedJWSAlgorithms()::contains)
                        .findFirst()
                        .orElseThrow(IllegalArgumentException::new);
        return new JWSHeader.Builder(algorithm)
                .type(JOSEObjectType.JWT)
                .keyID(jwk == null ? null : jwk.getKeyID())
                .build();
    }

    private static JWSSigner signer(JWK jwk) throws JOSEException {
        return switch (jwk) {
            case ECKey ec when ec.isPrivate() -> new ECDSASigner(ec);
            case RSAKey rsa when rsa.isPrivate() -> new RSASSASigner(rsa);
            default -> throw new JOSEException("no private key of a supported kind");
        };
    }

    private static JWSSigner signer(PrivateKey key) throws JOSEException {
        return key instanceof ECPrivateKey ec ? new ECDSASigner(ec) : new RSASSASigner(key);
    }

    private static PrivateKey pem(String text) throws GeneralSecurityException {
        int begin = text.indexOf(PEM_BEGIN);
        int end = text.indexOf(PEM_END);
        if (begin < 0 || end < begin) {
            throw new GeneralSecurityException("no PEM");
        }
        byte[] encoded =
                Base64.getMimeDecoder().decode(text.substring(begin + PEM_BEGIN.length(), end));
        PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(encoded);
        try {
            return KeyFactory.getInstance("EC").generatePrivate(spec);
        } catch (GeneralSecurityException e) {
            return KeyFactory.getInstance("RSA").generatePrivate(spec);
        }
    }
}
