package dev.orloj.server.mcp.methods;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.server.authorization.Rights;
import dev.orloj.server.mcp.protocol.ProtocolError;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Work for a user that ends when the user loses the right to it. */
final class RevocableWork {

    private final Thread worker = Thread.currentThread();

    @GuardedBy("this")
    private boolean ended;

    @GuardedBy("this")
    private boolean revoked;

    private RevocableWork() {}

    /** Work that may be interrupted. */
    @FunctionalInterface
    interface Work<T> {
        T run() throws InterruptedException;
    }

    /**
     * Runs the work on this thread, which is interrupted when the right is lost.
     *
     * @param isHeld whether the user has the right now
     * @param refusal what to throw without the right
     */
    static <T> T run(
            Rights rights, BooleanSupplier isHeld, Supplier<ProtocolError> refusal, Work<T> work)
            throws InterruptedException {
        if (!rights.dependOnUser()) {
            return work.run();
        }
        RevocableWork revocable = new RevocableWork();
        try (Rights.Watch _ =
                rights.watch(
                        () -> {
                            if (!isHeld.getAsBoolean()) {
                                revocable.revoke();
                            }
                        })) {
            if (!isHeld.getAsBoolean()) {
                throw refusal.get();
            }
            return work.run();
        } catch (InterruptedException e) {
            if (revocable.isRevoked()) {
                throw refusal.get();
            }
            throw e;
        } finally {
            revocable.end();
        }
    }

    private synchronized void revoke() {
        if (!ended && !revoked) {
            revoked = true;
            worker.interrupt();
        }
    }

    private synchronized boolean isRevoked() {
        return revoked;
    }

    /** Clears an interrupt that came too late, before the thread continues with other work. */
    private synchronized void end() {
        ended = true;
        if (revoked) {
            Thread.interrupted();
        }
    }
}
