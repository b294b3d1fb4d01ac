package dev.orloj.server.oidc;

import com.nimbusds.jwt.SignedJWT;

import dev.orloj.server.authentication.InvalidCredentialException;
import dev.orloj.server.authentication.VerifiedTokens;
import dev.orloj.server.properties.InvalidConfigurationException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The external issuers of a file, which is read again while the server runs. They are reached in
 * the background, so that no start waits for them. Thread-safe.
 */
public final class Issuers implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Issuers.class);

    /** Bounds the work for a token before its signature is checked. */
    private static final int MAX_TOKEN = 16 * 1024;

    private static final int MAX_FILE = 1 << 20;
    private static final Duration REACH_NEW = Duration.ofSeconds(5);
    private static final int DOTS = 2;
    private static final int DOTS_ENCRYPTED = 4;

    private final @Nullable Path file;
    private final Timing timing;
    private final InstantSource clock;
    private final ScheduledExecutorService rounds =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("orloj-issuers").factory());
    private volatile Known known;
    private volatile Runnable listener = () -> {};
    private byte[] content;
    private String failure = "";

    /** Verified tokens count as long as the issuers do that they were verified with. */
    private record Known(Map<String, Issuer> byUrl, VerifiedTokens<VerifiedJwt> tokens) {}

    /**
     * Whether an issuer can be reached.
     *
     * @param problem why not; empty when it can
     */
    public record Reachability(String url, String problem) {}

    /**
     * @param file an AuthenticationConfiguration; null for no issuers
     * @throws InvalidConfigurationException when it cannot be used
     */
    public Issuers(@Nullable Path file, Timing timing, InstantSource clock) {
        this.file = file;
        this.timing = timing;
        this.clock = clock;
        try {
            this.content = file == null ? new byte[0] : read(file);
            this.known =
                    file == null
                            ? new Known(Map.of(), new VerifiedTokens<>(clock))
                            : known(content, Map.of());
        } catch (IOException e) {
            throw new InvalidConfigurationException(
                    "--authentication-config \"%s\" cannot be read: %s".formatted(file, e), e);
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationException(
                    "--authentication-config \"%s\": %s".formatted(file, e.getMessage()), e);
        }
    }

    /**
     * Begins to reach the issuers.
     *
     * @param period how often the file is read
     */
    public void start(Duration period) {
        rounds.scheduleWithFixedDelay(
                this::check, 0, timing.retry().toMillis(), TimeUnit.MILLISECONDS);
        if (file != null) {
            Path watched = file;
            rounds.scheduleWithFixedDelay(
                    () -> readAgain(watched),
                    period.toMillis(),
                    period.toMillis(),
                    TimeUnit.MILLISECONDS);
        }
    }

    /** Each in a thread of its own: one that does not answer must not keep up the others. */
    private void check() {
        known.byUrl().values().forEach(issuer -> Thread.startVirtualThread(issuer::check));
    }

    private void readAgain(Path watched) {
        try {
            byte[] current = read(watched);
            if (!Arrays.equals(current, content)) {
                Map<String, Issuer> before = known.byUrl();
                Known changed = known(current, before);
                reachNew(changed, before);
                known = changed;
                content = current;
                listener.run();
                log.atInfo()
                        .addKeyValue("file", watched)
                        .addKeyValue("issuers", known.byUrl().keySet())
                        .log("Issuers of tokens changed");
                closeOthers(before, known.byUrl());
            }
            failure = "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException e) {
            String error = e instanceof IOException ? e.toString() : String.valueOf(e.getMessage());
            if (!error.equals(failure)) {
                failure = error;
                log.atWarn()
                        .addKeyValue("file", watched)
                        .addKeyValue("error", error)
                        .log("Issuers of tokens could not be read; those of before stay");
            }
        }
    }

    /** Tokens of an issuer whose settings change should count all the time. */
    private static void reachNew(Known changed, Map<String, Issuer> before)
            throws InterruptedException {
        List<Thread> checks =
                changed.byUrl().values().stream()
                        .filter(issuer -> !before.containsValue(issuer))
                        .map(issuer -> Thread.startVirtualThread(issuer::check))
                        .toList();
        long end = System.nanoTime() + REACH_NEW.toNanos();
        for (Thread check : checks) {
            check.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
        }
    }

    private static byte[] read(Path file) throws IOException {
        try (InputStream stream = Files.newInputStream(file)) {
            byte[] bytes = stream.readNBytes(MAX_FILE + 1);
            if (bytes.length > MAX_FILE) {
                throw new IOException("it has more than %d bytes".formatted(MAX_FILE));
            }
            return bytes;
        }
    }

    private Known known(byte[] configuration, Map<String, Issuer> before) {
        Map<String, Issuer> issuers = new LinkedHashMap<>();
        for (IssuerSettings settings : AuthenticationConfiguration.read(configuration)) {
            Issuer same = before.get(settings.url());
            issuers.put(
                    settings.url(),
                    same != null && same.settings().equals(settings)
                            ? same
                            : new Issuer(settings, timing, clock));
        }
        return new Known(issuers, new VerifiedTokens<>(clock));
    }

    private static void closeOthers(Map<String, Issuer> before, Map<String, Issuer> now) {
        for (Issuer issuer : before.values()) {
            if (!now.containsValue(issuer)) {
                close(issuer);
            }
        }
    }

    private static void close(Issuer issuer) {
        try {
            issuer.close();
        } catch (IOException e) {
            log.atDebug().setCause(e).log("Connection to an issuer could not be closed");
        }
    }

    /** Returns the URLs of the issuers, in the order of the file. */
    public List<String> urls() {
        return List.copyOf(known.byUrl().keySet());
    }

    /** Returns whether an issuer is known and can be reached. */
    public boolean isReachable(String url) {
        Issuer issuer = known.byUrl().get(url);
        return issuer != null && issuer.problem().isEmpty();
    }

    /** Has one listener run after each change of the issuers. */
    public void onChange(Runnable action) {
        listener = action;
    }

    public List<Reachability> reachability() {
        return known.byUrl().values().stream()
                .map(issuer -> new Reachability(issuer.settings().url(), issuer.problem()))
                .toList();
    }

    /**
     * Verifies a token; empty when it is no JWT at all.
     *
     * @throws InvalidCredentialException when it is one and does not count
     */
    Optional<VerifiedJwt> verify(String token) throws InvalidCredentialException {
        long dots = token.chars().filter(c -> c == '.').count();
        if (dots != DOTS && dots != DOTS_ENCRYPTED) {
            return Optional.empty();
        }
        if (token.length() > MAX_TOKEN) {
            throw new InvalidCredentialException(
                    "token of %d characters, the limit is %d".formatted(token.length(), MAX_TOKEN));
        }
        if (dots == DOTS_ENCRYPTED) {
            throw new InvalidCredentialException("encrypted tokens (JWE) are not supported");
        }
        Known current = known;
        Optional<VerifiedJwt> found = current.tokens().find(token);
        if (found.isPresent()) {
            return found;
        }
        VerifiedJwt verified = verify(token, current);
        current.tokens().remember(token, verified, verified.expiresAt());
        return Optional.of(verified);
    }

    private static VerifiedJwt verify(String token, Known current)
            throws InvalidCredentialException {
        SignedJWT jwt;
        String url;
        try {
            jwt = SignedJWT.parse(token);
            url = jwt.getJWTClaimsSet().getIssuer();
        } catch (ParseException e) {
            throw new InvalidCredentialException(
                    "no valid JWT: " + TokenExcerpt.of(e.getMessage()), e);
        }
        if (url == null) {
            throw new InvalidCredentialException("token without an issuer (claim \"iss\")");
        }
        Issuer issuer = current.byUrl().get(url);
        if (issuer == null) {
            throw new InvalidCredentialException(
                    "token of issuer \"%s\", which is not configured"
                            .formatted(TokenExcerpt.of(url)));
        }
        return issuer.verify(jwt);
    }

    @Override
    public void close() {
        rounds.shutdownNow();
        known.byUrl().values().forEach(Issuers::close);
    }
}
