package dev.orloj.server.store.key;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;

/**
 * An AES key in a hardware security module, which it never leaves. orlojd needs the module when it
 * starts and when keys are rotated; in between it may be away. Thread-safe.
 */
final class Pkcs11Key implements KeyEncryptionKey {

    private static final Logger log = LoggerFactory.getLogger(Pkcs11Key.class);

    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final int IV_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final Pkcs11Uri uri;
    private final Pkcs11Module module;
    private final Duration pause;
    private final SecureRandom random = new SecureRandom();

    @GuardedBy("this")
    private @Nullable Pkcs11Token token;

    @GuardedBy("this")
    private long failedAt;

    private volatile String problem = "";

    /**
     * @param pause how long after a failure the module is left alone
     */
    Pkcs11Key(Pkcs11Uri uri, Pkcs11Module module, Duration pause) {
        this.uri = uri;
        this.module = module;
        this.pause = pause;
    }

    /** What is done with the token. */
    private interface Operation {
        byte[] on(Pkcs11Token token) throws GeneralSecurityException;
    }

    /** A result, and the token that it is of. */
    private record Outcome(Pkcs11Token token, byte[] bytes) {}

    @Override
    public String id() {
        return uri.id();
    }

    /** Returns the file with the PIN. */
    Path pinSource() {
        return uri.pinSource();
    }

    /** Returns why the key could not be used the last time; empty when it could. */
    Optional<String> problem() {
        return problem.isEmpty() ? Optional.empty() : Optional.of(problem);
    }

    /** Logs in again at the next use. */
    synchronized void forget() {
        token = null;
    }

    /**
     * @throws ApiException (ServiceUnavailable) when the module cannot be used
     */
    @Override
    public synchronized String wrap(byte[] key, String use) {
        byte[] iv = new byte[IV_BYTES];
        random.nextBytes(iv);
        try {
            byte[] sealed =
                    perform(token -> cipher(token, Cipher.ENCRYPT_MODE, iv, use).doFinal(key));
            byte[] whole = Arrays.copyOf(iv, IV_BYTES + sealed.length);
            System.arraycopy(sealed, 0, whole, IV_BYTES, sealed.length);
            return Base64.getEncoder().encodeToString(whole);
        } catch (IOException | GeneralSecurityException | ProviderException e) {
            failed(e);
            throw new ApiException(
                    ErrorReason.SERVICE_UNAVAILABLE,
                    "the key \"%s\" cannot be used: %s".formatted(id(), problem));
        }
    }

    @Override
    public synchronized Optional<byte[]> unwrap(String wrapped, String use) {
        byte[] whole;
        try {
            whole = Base64.getDecoder().decode(wrapped);
        } catch (IllegalArgumentException e) { // no Base64
            return Optional.empty();
        }
        if (whole.length <= IV_BYTES || isLeftAlone()) {
            return Optional.empty();
        }
        byte[] iv = Arrays.copyOf(whole, IV_BYTES);
        byte[] sealed = Arrays.copyOfRange(whole, IV_BYTES, whole.length);
        try {
            return Optional.of(
                    perform(token -> cipher(token, Cipher.DECRYPT_MODE, iv, use).doFinal(sealed)));
        } catch (IOException | GeneralSecurityException | ProviderException e) {
            failed(isOther(e) ? new IOException(otherKey()) : e);
            return Optional.empty();
        }
    }

    /** A key that encrypts is there: then it is not the one that has encrypted this. */
    @GuardedBy("this")
    private boolean isOther(Exception failure) {
        if (failure instanceof IOException) {
            return false;
        }
        try {
            byte[] iv = new byte[IV_BYTES];
            random.nextBytes(iv);
            perform(token -> cipher(token, Cipher.ENCRYPT_MODE, iv, "").doFinal(iv));
            return true;
        } catch (IOException | GeneralSecurityException | ProviderException e) {
            return false;
        }
    }

    private String otherKey() {
        return "the key \"%s\" of the token is another one than that which protects this database"
                .formatted(uri.object());
    }

    private static Cipher cipher(Pkcs11Token token, int mode, byte[] iv, String use)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(CIPHER, token.provider());
        cipher.init(mode, token.key(), new GCMParameterSpec(TAG_BITS, iv));
        cipher.updateAAD(use.getBytes(StandardCharsets.UTF_8));
        return cipher;
    }

    @GuardedBy("this")
    private byte[] perform(Operation operation) throws IOException, GeneralSecurityException {
        Pkcs11Token known = token;
        token = null;
        Outcome outcome = module.call(() -> attempt(known, operation));
        token = outcome.token();
        return succeeded(outcome.bytes());
    }

    /**
     * Logs in again, once, when the session of before is gone, as after a restart of the module.
     */
    private Outcome attempt(@Nullable Pkcs11Token known, Operation operation)
            throws IOException, GeneralSecurityException {
        if (known != null) {
            try {
                return new Outcome(known, operation.on(known));
            } catch (GeneralSecurityException | ProviderException e) {
                log.atDebug().addKeyValue("error", e.toString()).log("Logging in again");
            }
        }
        Pkcs11Token opened = module.login(uri, pin());
        return new Outcome(opened, operation.on(opened));
    }

    private char[] pin() throws IOException {
        try {
            return Pkcs11Token.pin(uri.pinSource());
        } catch (IOException e) {
            String why =
                    switch (e) {
                        case NoSuchFileException missing -> "it is not there";
                        case AccessDeniedException denied -> "permission denied";
                        default -> String.valueOf(e.getMessage());
                    };
            throw new IOException(
                    "the file with the PIN, \"%s\", cannot be read: %s"
                            .formatted(uri.pinSource(), why),
                    e);
        }
    }

    @GuardedBy("this")
    private byte[] succeeded(byte[] result) {
        if (!problem.isEmpty()) {
            log.atInfo().addKeyValue("key", id()).log("The hardware security module is back");
        }
        problem = "";
        return result;
    }

    @GuardedBy("this")
    private boolean isLeftAlone() {
        return !problem.isEmpty() && System.nanoTime() - failedAt < pause.toNanos();
    }

    @GuardedBy("this")
    private void failed(Exception failure) {
        String why = Pkcs11Token.reason(failure);
        if (failure instanceof IOException) {
            why = String.valueOf(failure.getMessage());
        }
        if (!why.equals(problem)) {
            log.atWarn()
                    .addKeyValue("key", id())
                    .addKeyValue("error", why)
                    .log("The key in the hardware security module cannot be used");
        }
        problem = why;
        failedAt = System.nanoTime();
    }

    @Override
    public String toString() {
        return "Pkcs11Key[" + id() + "]";
    }
}
