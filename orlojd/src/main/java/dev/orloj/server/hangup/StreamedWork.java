package dev.orloj.server.hangup;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Work that one thread does, while the thread of the request tells the client how it goes. A client
 * that goes away ends the work: its thread is interrupted.
 */
public final class StreamedWork {

    /** Of news that a client is too slow to take, the oldest go. */
    private static final int MOST_NEWS = 1_000;

    private StreamedWork() {}

    /** What is done; it ends soon when its thread is interrupted. */
    @FunctionalInterface
    public interface Work<E> {

        /**
         * @param news takes what the client is to hear before the end; returns at once, may be
         *     called from any thread
         * @return the last that the client is to hear
         */
        E run(Consumer<E> news);
    }

    /** Writes to the client. */
    @FunctionalInterface
    public interface Writer<E> {

        /**
         * @param event null when there is nothing to tell, but that the work goes on
         * @throws IOException when the client is gone
         */
        void write(@Nullable E event) throws IOException;
    }

    /**
     * @param failure in place of the last event
     */
    private record Said<E>(@Nullable E event, boolean last, @Nullable RuntimeException failure) {}

    /**
     * Returns when the last event is written, or nobody is there to read it; throws what the work
     * throws.
     *
     * @param beat how long the client may hear nothing
     * @throws InterruptedException when this thread was interrupted; the work was, too
     */
    public static <E> void run(
            HangUps hangUps,
            HttpServletRequest request,
            Duration beat,
            Work<E> work,
            Writer<E> writer)
            throws IOException, InterruptedException {
        BlockingQueue<Said<E>> said = new LinkedBlockingQueue<>();
        Thread worker =
                Thread.ofVirtual()
                        .name("orloj-streamed-work")
                        .start(() -> said.add(last(work, news -> tell(said, news))));
        try (HangUps.Attention _ = hangUps.attend(request, worker::interrupt)) {
            boolean last = false;
            while (!last) {
                Said<E> next = said.poll(beat.toMillis(), TimeUnit.MILLISECONDS);
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

    private static <E> Said<E> last(Work<E> work, Consumer<E> news) {
        try {
            return new Said<>(work.run(news), true, null);
        } catch (RuntimeException e) { // thrown by the thread of the request
            return new Said<>(null, true, e);
        }
    }

    private static <E> void tell(BlockingQueue<Said<E>> said, E news) {
        if (said.size() >= MOST_NEWS) {
            said.poll();
        }
        said.add(new Said<>(news, false, null));
    }
}
