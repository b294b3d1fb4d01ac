package dev.orloj.runtime.reading;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The work for one client, at whose end the client has its answers: until then their memory counts.
 */
public final class AnswerScope {

    /** Something that answers a client. */
    @FunctionalInterface
    public interface Work<X extends Exception, Y extends Exception> {

        void run() throws X, Y;
    }

    private static final ScopedValue<AnswerScope> CURRENT = ScopedValue.newInstance();

    private final Queue<HeldAnswer> answers = new ConcurrentLinkedQueue<>();

    private AnswerScope() {}

    /** Does the work; the answers that its thread gets from servers count until it is done. */
    public static <X extends Exception, Y extends Exception> void run(Work<X, Y> work) throws X, Y {
        AnswerScope scope = new AnswerScope();
        try {
            ScopedValue.where(CURRENT, scope)
                    .<Boolean, Exception>call(
                            () -> {
                                work.run();
                                return true;
                            });
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Exception e) {
            throw AnswerScope.<X>narrowed(e);
        } finally {
            scope.answers.forEach(HeldAnswer::close);
        }
    }

    /** The thread has got an answer. Where there is no scope, it counts no longer. */
    public static void add(HeldAnswer answer) {
        if (CURRENT.isBound()) {
            CURRENT.get().answers.add(answer);
        } else {
            answer.close();
        }
    }

    @SuppressWarnings("unchecked") // the work throws nothing else
    private static <X extends Exception> X narrowed(Exception e) {
        return (X) e;
    }
}
