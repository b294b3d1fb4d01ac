package dev.orloj.server.store.key;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.ProviderException;
import java.security.Security;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The library of a vendor. All calls of it run on one thread of its own, one after the other,
 * because a device that is away can block them forever. Thread-safe.
 */
final class Pkcs11Module {

    private final Path library;
    private final Duration limit;
    private final ExecutorService thread;

    /** The last PIN that each token has refused: most tokens lock after three attempts. */
    private final Map<String, char[]> refused = new ConcurrentHashMap<>();

    private volatile boolean initialized;
    private volatile @Nullable Future<?> late;

    /**
     * @param limit the longest time that a caller waits
     */
    Pkcs11Module(Path library, Duration limit) {
        this.library = library;
        this.limit = limit;
        this.thread =
                new ThreadPoolExecutor(
                        0,
                        1,
                        10,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        Thread.ofPlatform().daemon().name("orloj-pkcs11").factory());
    }

    /**
     * Runs an operation on the thread of the module.
     *
     * @throws IOException when the operation does, or the module does not answer in time
     * @throws GeneralSecurityException when the operation does
     */
    <T> T call(Callable<T> operation) throws IOException, GeneralSecurityException {
        Future<?> before = late;
        if (before != null && !before.isDone()) {
            throw notAnswering();
        }
        Future<T> future = thread.submit(operation);
        try {
            return future.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            late = future;
            throw notAnswering();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException failure -> throw failure;
                case GeneralSecurityException failure -> throw failure;
                case RuntimeException failure -> throw failure;
                case null, default -> throw new IOException(e.getCause());
            }
        }
    }

    private IOException notAnswering() {
        return new IOException(
                "the module \"%s\" has not answered within %d s"
                        .formatted(library, limit.toSeconds()));
    }

    /**
     * Logs in to a token. A PIN that the token has refused is not given to it again.
     *
     * @param pin overwritten
     * @throws IOException when there is no such module, token or key, or the PIN is refused
     */
    Pkcs11Token login(Pkcs11Uri uri, char[] pin) throws IOException {
        char[] given = pin.clone();
        try {
            if (Arrays.equals(refused.get(uri.token()), pin)) {
                throw new IOException(
                        "the token \"%s\" has refused the PIN in \"%s\", which is not tried again because that could lock the token"
                                .formatted(uri.token(), uri.pinSource()));
            }
            Pkcs11Token token = Pkcs11Token.open(provider(uri.token()), uri, pin);
            refused.remove(uri.token());
            return token;
        } catch (Pkcs11Token.PinRefusedException e) {
            refused.put(uri.token(), given.clone());
            throw e;
        } finally {
            Arrays.fill(pin, '\0');
            Arrays.fill(given, '\0');
        }
    }

    /** Returns a provider for the slot that has the token now. */
    private Provider provider(String token) throws IOException {
        if (!Files.isReadable(library)) {
            throw new IOException("the module \"%s\" is not there".formatted(library));
        }
        Provider base = Security.getProvider("SunPKCS11");
        if (base == null) {
            throw new IOException("this Java runtime lacks the module jdk.crypto.cryptoki");
        }
        if (!initialized) {
            initialize(base);
        }
        OptionalLong slot = Pkcs11Slots.find(library, token);
        initialized = true;
        if (slot.isEmpty()) {
            throw new IOException("there is no token \"%s\"".formatted(token));
        }
        return configured(base, "slot = " + slot.getAsLong());
    }

    /** The provider asks the module for locks. The first slot need not have a token. */
    private void initialize(Provider base) {
        try {
            configured(base, "slotListIndex = 0");
        } catch (ProviderException e) {
            // Either it is initialized and has no slot, or the search for the token fails, too.
        }
    }

    /** Without destroyTokenAfterLogout, a thread would wait for each token that was removed. */
    private Provider configured(Provider base, String slot) {
        String name = library.toString().replace("\\", "\\\\").replace("\"", "\\\"");
        return base.configure(
                "--name = Orloj\nlibrary = \"%s\"\ndestroyTokenAfterLogout = true\n%s\n"
                        .formatted(name, slot));
    }

    @Override
    public String toString() {
        return "Pkcs11Module[" + library + "]";
    }
}
