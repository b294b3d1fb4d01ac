package dev.orloj.server.store.key;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Provider;
import java.security.ProviderException;

import javax.crypto.SecretKey;

/**
 * A key in a token that is logged in to.
 *
 * @param provider of the token
 * @param key a handle, which never has the key itself
 */
record Pkcs11Token(Provider provider, SecretKey key) {

    private static final int MAX_PIN = 256;

    /** The token does not accept the PIN. */
    static final class PinRefusedException extends IOException {

        private static final long serialVersionUID = 1;

        PinRefusedException(String message) {
            super(message);
        }
    }

    /** Reads the PIN of a user. */
    static char[] pin(Path file) throws IOException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new IOException("it is no regular file");
        }
        if (Files.size(file) > MAX_PIN) {
            throw new IOException("it has more than %d bytes".formatted(MAX_PIN));
        }
        String pin = Files.readString(file).strip();
        if (pin.isEmpty()) {
            throw new IOException("it is empty");
        }
        return pin.toCharArray();
    }

    /**
     * Logs in, and finds the key.
     *
     * @throws IOException when the token cannot be used, or the key is not there
     */
    static Pkcs11Token open(Provider provider, Pkcs11Uri uri, char[] pin) throws IOException {
        try {
            KeyStore store = KeyStore.getInstance("PKCS11", provider);
            store.load(null, pin);
            if (store.getKey(uri.object(), null) instanceof SecretKey key) {
                return new Pkcs11Token(provider, key);
            }
        } catch (GeneralSecurityException | ProviderException | IOException e) {
            String reason = reason(e);
            // CKR_PIN_INCORRECT, CKR_PIN_LOCKED and their like; other errors of a login can pass.
            if (reason.contains("CKR_PIN_")) {
                throw new PinRefusedException(
                        "the token \"%s\" refuses the PIN in \"%s\" (%s)"
                                .formatted(uri.token(), uri.pinSource(), reason));
            }
            throw new IOException(reason, e);
        }
        throw new IOException(
                "the token \"%s\" has no secret key \"%s\"".formatted(uri.token(), uri.object()));
    }

    /** Returns the innermost message, which has the code of the module. */
    static String reason(Throwable failure) {
        Throwable cause = failure;
        @Nullable String message = cause.getMessage();
        while (cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
            message = cause.getMessage() == null ? message : cause.getMessage();
        }
        return message == null ? failure.getClass().getSimpleName() : message;
    }
}
