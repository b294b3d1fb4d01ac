package dev.orloj.runtime.reading;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A scope of work for one client, during which the memory of the client's responses is accounted
 * for. The client has its responses when the scope ends.
 *
 * <p>A scoped value, because the scope is that of the HTTP request, which also covers lists and
 * other requests that make no call, and ends only after the response is written.
 */
public final class AnswerScope {

    /** An action that sends responses to a client. */
    @FunctionalInterface
    public interface Work<X extends Exception, Y extends Exception> {

        void run() throws X, Y;
    }

    private static final ScopedValue<AnswerScope> CURRENT = ScopedValue.newInstance();

    private final Queue<HeldAnswer> answers = new ConcurrentLinkedQueue<>();

    private AnswerScope() {}

    /**
     * Runs the action; responses that its thread receives from servers are accounted for until it
     * ends.
     */
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

    /** Adds a response that the thread received. Without a scope, it is released at once. */
    public static void add(HeldAnswer answer) {
        if (CURRENT.isBound()) {
            CURRENT.get().answers.add(answer);
        } else {
            answer.close();
        }
    }

    @SuppressWarnings("unchecked") // the action throws no other type
    private static <X extends Exception> X narrowed(Exception e) {
        return (X) e;
    }
}
