package dev.orloj.server.stream;

import dev.orloj.server.disconnect.ClientDisconnects;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Runs work on one thread, while the thread of the request streams its events to the client. When
 * the client disconnects, the thread of the work is interrupted.
 */
public final class StreamedWork {

    private StreamedWork() {}

    /** The work; it ends soon when its thread is interrupted. */
    @FunctionalInterface
    public interface Work<E> {

        /**
         * @param events takes the events before the last; returns at once, may be called from any
         *     thread
         * @return the last event
         */
        E run(Consumer<E> events);
    }

    /** Writes events to the client. */
    public interface Writer<E> {

        /**
         * @param event null to keep the connection open while the work continues
         * @throws IOException when the client is gone
         */
        void write(@Nullable E event) throws IOException;

        /** Whether an event may be dropped for a client that is too slow. */
        default boolean isDroppable(E event) {
            return true;
        }

        /** The memory that an event takes in the queue. */
        long bytes(E event);
    }

    /**
     * @param failure in place of the last event
     */
    record Said<E>(@Nullable E event, boolean last, @Nullable RuntimeException failure) {}

    /**
     * Returns when the last event is written, the client is gone, or the client is so slow that the
     * work was ended; throws what the work throws.
     *
     * @param beat the longest time without output to the client
     * @throws InterruptedException when this thread was interrupted; the work was, too
     */
    public static <E> void run(
            ClientDisconnects disconnects,
            HttpServletRequest request,
            Duration beat,
            Work<E> work,
            Writer<E> writer)
            throws IOException, InterruptedException {
        StreamQueue<E> said = new StreamQueue<>(writer);
        Thread worker =
                Thread.ofVirtual().name("orloj-streamed-work").start(() -> work(work, said));
        try (ClientDisconnects.ConnectionWatch _ = disconnects.watch(request, worker::interrupt)) {
            boolean last = false;
            while (!last) {
                Said<E> next = said.take(beat);
                if (next != null && next.failure() != null) {
                    throw next.failure();
                }
                writer.write(next == null ? null : next.event());
                last = next != null && next.last();
            }
        } finally {
            worker.interrupt();
        }
    }

    private static <E> void work(Work<E> work, StreamQueue<E> said) {
        Thread worker = Thread.currentThread();
        Consumer<E> events =
                event -> {
                    if (!said.add(new Said<>(event, false, null))) {
                        worker.interrupt();
                    }
                };
        said.add(last(work, events));
    }

    private static <E> Said<E> last(Work<E> work, Consumer<E> events) {
        try {
            return new Said<>(work.run(events), true, null);
        } catch (RuntimeException e) { // thrown by the thread of the request
            return new Said<>(null, true, e);
        }
    }
}
