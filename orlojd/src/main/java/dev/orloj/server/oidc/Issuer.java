package dev.orloj.server.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.util.Resource;
import com.nimbusds.jwt.SignedJWT;

import dev.orloj.api.codec.Json;
import dev.orloj.server.authentication.InvalidCredentialException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An issuer and what is known of it. Until it has been reached once, its tokens do not count.
 * Thread-safe.
 */
final class Issuer implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Issuer.class);

    /** An issuer may move its keys to another URL. */
    private static final Duration DISCOVERY_LIFETIME = Duration.ofHours(1);

    private static final String NOT_REACHED = "has not been reached yet";

    private final IssuerSettings settings;
    private final ClaimRules rules;
    private final Timing timing;
    private final InstantSource clock;
    private final IssuerClient client;
    private final AtomicBoolean checking = new AtomicBoolean();
    private volatile @Nullable IssuerKeys keys;
    private volatile Instant discoveredAt = Instant.MIN;

    /** Why the issuer cannot be used or reached; empty when it can. */
    private volatile String problem = NOT_REACHED;

    Issuer(IssuerSettings settings, Timing timing, InstantSource clock) {
        this.settings = settings;
        this.rules = new ClaimRules(settings);
        this.timing = timing;
        this.clock = clock;
        this.client = new IssuerClient(settings.certificateAuthority());
    }

    IssuerSettings settings() {
        return settings;
    }

    String problem() {
        return problem;
    }

    boolean isUsable() {
        return keys != null;
    }

    /** Reaches the issuer if it is time. Only one thread does so. */
    void check() {
        if (!checking.compareAndSet(false, true)) {
            return;
        }
        try {
            Instant now = clock.instant();
            if (keys == null
                    || !problem.isEmpty()
                    || now.isAfter(discoveredAt.plus(DISCOVERY_LIFETIME))) {
                discover();
                discoveredAt = now;
                refresh();
                report("");
            } else {
                refresh();
            }
        } catch (IOException | KeySourceException | RuntimeException e) {
            report(cause(e));
            keepKeys();
        } finally {
            checking.set(false);
        }
    }

    /** Has the keys fetched again before they are too old, so that no request waits for that. */
    private void refresh() throws KeySourceException {
        IssuerKeys current = keys;
        if (current != null) {
            current.refresh();
        }
    }

    /** The last keys count for another while, which no request should wait for either. */
    private void keepKeys() {
        try {
            refresh();
        } catch (KeySourceException | RuntimeException e) {
            log.atDebug()
                    .addKeyValue("issuer", settings.url())
                    .setCause(e)
                    .log("Keys of an issuer of tokens are too old");
        }
    }

    private void discover() throws IOException {
        JsonNode document;
        try {
            document = Json.MAPPER.readTree(fetch(URI.create(settings.discoveryUrl()).toURL()));
        } catch (JacksonException e) {
            throw new IOException(settings.discoveryUrl() + " answers without valid JSON", e);
        }
        String issuer = document.path("issuer").asString("");
        if (!issuer.equals(settings.url())) {
            throw new IOException(
                    "%s is of the issuer \"%s\", expected \"%s\""
                            .formatted(
                                    settings.discoveryUrl(),
                                    TokenExcerpt.of(issuer),
                                    settings.url()));
        }
        URL url = keysUrl(document.path("jwks_uri").asString(""));
        requireKeys(url);
        IssuerKeys known = keys;
        if (known == null || !known.url().toString().equals(url.toString())) {
            keys = new IssuerKeys(url, this::retrieve, timing);
            if (known != null) {
                known.close();
            }
        }
    }

    private URL keysUrl(String text) throws IOException {
        try {
            URI url = URI.create(text);
            if ("https".equals(url.getScheme()) && url.getHost() != null) {
                return url.toURL();
            }
        } catch (IllegalArgumentException e) {
            // the same message as for other texts
        }
        throw new IOException(
                "%s has the jwks_uri \"%s\", expected an https URL"
                        .formatted(settings.discoveryUrl(), TokenExcerpt.of(text)));
    }

    /** What is read here is not used: it shows that the keys could be fetched now. */
    private void requireKeys(URL url) throws IOException {
        try {
            JWKSet.parse(fetch(url));
        } catch (ParseException e) {
            throw new IOException("%s answers without keys".formatted(url), e);
        }
    }

    private String fetch(URL url) throws IOException {
        return client.retrieveResource(url).getContent();
    }

    /** Notes whether the keys can be fetched while tokens are verified, too. */
    private Resource retrieve(URL url) throws IOException {
        try {
            return client.retrieveResource(url);
        } catch (IOException e) {
            report(cause(e));
            throw e;
        }
    }

    /** Logs the first failure, and not each. */
    private synchronized void report(String found) {
        boolean isChange = found.isEmpty() != problem.isEmpty() || problem.equals(NOT_REACHED);
        problem = found;
        if (!isChange) {
            return;
        }
        if (found.isEmpty()) {
            log.atInfo().addKeyValue("issuer", settings.url()).log("Issuer of tokens is reachable");
        } else {
            log.atWarn()
                    .addKeyValue("issuer", settings.url())
                    .addKeyValue("error", found)
                    .log(
                            isUsable()
                                    ? "Issuer of tokens cannot be reached; its last keys count"
                                    : "Issuer of tokens cannot be reached; its tokens get 401");
        }
    }

    private static String cause(Exception e) {
        return e instanceof IOException && e.getMessage() != null ? e.getMessage() : e.toString();
    }

    /**
     * Verifies a token, also while the issuer is replaced by one with other settings.
     *
     * @throws InvalidCredentialException when the token does not count
     */
    VerifiedJwt verify(SignedJWT token) throws InvalidCredentialException {
        IssuerKeys current = keys;
        if (current == null) {
            throw invalid("the issuer cannot be used: " + problem, null);
        }
        if (!IssuerKeys.ALGORITHMS.contains(token.getHeader().getAlgorithm())) {
            throw invalid(
                    "algorithm %s is not allowed"
                            .formatted(TokenExcerpt.of(token.getHeader().getAlgorithm())),
                    null);
        }
        try {
            return rules.read(current.verify(token), clock.instant());
        } catch (KeySourceException e) {
            throw invalid(
                    "no key \"%s\": %s"
                            .formatted(
                                    TokenExcerpt.of(token.getHeader().getKeyID()), e.getMessage()),
                    e);
        } catch (BadJOSEException | JOSEException | RejectedExecutionException e) {
            throw invalid(
                    "key \"%s\": %s"
                            .formatted(
                                    TokenExcerpt.of(token.getHeader().getKeyID()), e.getMessage()),
                    e);
        }
    }

    private InvalidCredentialException invalid(String cause, @Nullable Exception e) {
        String message = "token of issuer \"%s\": %s".formatted(settings.url(), cause);
        return e == null
                ? new InvalidCredentialException(message)
                : new InvalidCredentialException(message, e);
    }

    @Override
    public void close() throws IOException {
        IssuerKeys current = keys;
        if (current != null) {
            current.close();
        }
        client.close();
    }
}
