package dev.orloj.server.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.ResourceRetriever;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;

import org.jspecify.annotations.Nullable;

import java.io.Closeable;
import java.io.IOException;
import java.net.URL;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The keys of an issuer, which it may replace at any time. They are kept for some minutes, and for
 * some hours while the issuer cannot be reached; tokens with unknown keys cannot make orlojd fetch
 * them more often than at an interval. Thread-safe.
 */
final class IssuerKeys implements AutoCloseable {

    /** All with a public key; what is signed with a shared secret proves nothing. */
    static final Set<JWSAlgorithm> ALGORITHMS =
            Set.of(
                    JWSAlgorithm.RS256,
                    JWSAlgorithm.RS384,
                    JWSAlgorithm.RS512,
                    JWSAlgorithm.PS256,
                    JWSAlgorithm.PS384,
                    JWSAlgorithm.PS512,
                    JWSAlgorithm.ES256,
                    JWSAlgorithm.ES384,
                    JWSAlgorithm.ES512);

    private static final Set<@Nullable JOSEObjectType> TYPES = types();

    private final URL url;
    private final ExecutorService fetches = Executors.newVirtualThreadPerTaskExecutor();
    private final JWKSource<SecurityContext> source;
    private final DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();

    IssuerKeys(URL url, ResourceRetriever retriever, Timing timing) {
        this.url = url;
        this.source =
                JWKSourceBuilder.create(url, retriever)
                        .cache(timing.keysLifetime().toMillis(), timing.keysWait().toMillis())
                        .refreshAheadCache(
                                timing.keysAhead().toMillis(), null, fetches, true, null, false)
                        .rateLimited(timing.keysInterval().toMillis())
                        .retrying(true)
                        .outageTolerant(timing.keysOutage().toMillis())
                        .build();
        processor.setJWSTypeVerifier(new DefaultJOSEObjectTypeVerifier<>(TYPES));
        processor.setJWSKeySelector(new JWSVerificationKeySelector<>(ALGORITHMS, source));
        processor.setJWTClaimsSetVerifier((_, _) -> {});
    }

    private static Set<@Nullable JOSEObjectType> types() {
        Set<@Nullable JOSEObjectType> types = new HashSet<>();
        types.add(null);
        types.add(JOSEObjectType.JWT);
        types.add(new JOSEObjectType("at+jwt"));
        types.add(new JOSEObjectType("application/at+jwt"));
        return types;
    }

    URL url() {
        return url;
    }

    /** Fetches the keys if it is time, without a request that would wait for them. */
    void refresh() throws KeySourceException {
        source.get(new JWKSelector(new JWKMatcher.Builder().build()), null);
    }

    /**
     * Returns the claims of a token if its signature is valid.
     *
     * @throws KeySourceException when there are no keys to check it with
     */
    JWTClaimsSet verify(SignedJWT token) throws BadJOSEException, JOSEException {
        return processor.process(token, null);
    }

    @Override
    public void close() throws IOException {
        if (source instanceof Closeable closeable) {
            closeable.close();
        }
        fetches.shutdownNow();
    }
}
