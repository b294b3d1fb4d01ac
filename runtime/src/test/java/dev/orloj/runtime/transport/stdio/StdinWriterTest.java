package dev.orloj.runtime.transport.stdio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.reading.ReadBudget;
import dev.orloj.runtime.transport.OutgoingRequest;
import dev.orloj.runtime.transport.PendingRequests;
import dev.orloj.runtime.transport.PendingRequests.Pending;
import dev.orloj.runtime.transport.RequestDeadline;
import dev.orloj.runtime.transport.TransportException;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;

class StdinWriterTest {

    private static final OutgoingRequest PING = new OutgoingRequest("ping", null);

    private static final byte[] SMALL = "x".repeat(1_000).getBytes(StandardCharsets.UTF_8);

    private final Pipe pipe = new Pipe();
    private final List<Throwable> broken = new CopyOnWriteArrayList<>();
    private final StdinWriter writer = new StdinWriter(pipe, "test-writer", broken::add);
    private final PendingRequests pending = new PendingRequests(ReadBudget.ofHeap(1 << 30));

    @Test
    void aServerThatReadsIsWrittenToByTheSender() {
        for (int i = 0; i < 100; i++) {
            Pending request = add();
            writer.send(SMALL, request);
            writer.answered(request);
        }

        assertThat(pipe.writers).containsExactly(Thread.currentThread().getName());
        assertThat(writer.written()).isEqualTo(100L * 1_001);
    }

    @Test
    void whatMayNotFitIntoThePipeIsLeftToTheThread() {
        pipe.room.drainPermits();

        // More than a pipe holds, none of it answered; the test ends, so no sender was held up.
        for (int i = 0; i < 10; i++) {
            writer.send(SMALL, i < 4 ? null : add());
        }

        assertThat(pipe.text()).hasSize(4 * 1_001);
        pipe.room.release(1_000);
        await().until(() -> pipe.text().length() == 10 * 1_001);
        assertThat(pipe.writers).contains("test-writer");
    }

    /** Else the server receives what its sender repeats in the next session. */
    @Test
    void aRequestThatFailedAsNotSentIsNotWrittenLater() {
        pipe.room.drainPermits();
        Pending blocking = add();
        Pending queued = add();
        writer.send(new byte[StdinWriter.UNREAD_LIMIT + 1], blocking);
        await().until(blocking::delivered);
        writer.send("queued".getBytes(StandardCharsets.UTF_8), queued);

        pending.end(new TransportException("gone", true));
        writer.send("last".getBytes(StandardCharsets.UTF_8), null);
        pipe.room.release(Integer.MAX_VALUE / 2);

        await().until(() -> pipe.text().endsWith("last\n"));
        assertThat(pipe.text()).doesNotContain("queued");
        assertThat(queued.delivered()).isFalse();
    }

    @Test
    void theOrderOfOneSenderIsKept() {
        IntStream.range(0, 5_000)
                .forEach(
                        i -> {
                            Pending request = add();
                            writer.send(
                                    String.valueOf(i).getBytes(StandardCharsets.UTF_8), request);
                            if (i % 7 == 0) {
                                writer.answered(request);
                            }
                        });

        await().until(() -> pipe.text().lines().count() == 5_000);
        assertThat(pipe.text().lines().map(Integer::parseInt))
                .containsExactlyElementsOf(IntStream.range(0, 5_000).boxed().toList());
    }

    @Test
    void whatStillWaitsWasNotDelivered() {
        pipe.room.drainPermits();
        byte[] large = new byte[StdinWriter.UNREAD_LIMIT + 1];
        Pending first = add();
        Pending second = add();

        writer.send(large, first);
        await().until(first::delivered);
        writer.send(large, second);

        assertThat(second.delivered()).isFalse();
        pipe.room.release(1_000);
    }

    @Test
    void theQueueIsBounded() {
        pipe.room.drainPermits();
        byte[] large = new byte[(int) (StdinWriter.QUEUE_LIMIT / 2)];

        assertThatThrownBy(() -> IntStream.range(0, 5).forEach(i -> writer.send(large, null)))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("does not read its standard input")
                .matches(e -> !((TransportException) e).delivered());
        writer.close();
        pipe.room.release(1_000);
    }

    @Test
    void aBrokenPipeIsReportedOnce() {
        pipe.broken = true;

        writer.send(SMALL, null);
        writer.send(SMALL, null);

        assertThat(broken).hasSize(1);
    }

    /** Takes {@link StdinWriter#UNREAD_LIMIT} bytes at once, and more as it is given room. */
    private static final class Pipe extends OutputStream {

        private final Semaphore room = new Semaphore(Integer.MAX_VALUE / 2);
        private final Set<String> writers = ConcurrentHashMap.newKeySet();
        private final StringBuffer text = new StringBuffer();
        private volatile boolean broken = false;

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (broken) {
                throw new IOException("Broken pipe");
            }
            writers.add(Thread.currentThread().getName());
            if (text.length() + length > StdinWriter.UNREAD_LIMIT) {
                room.acquireUninterruptibly();
            }
            text.append(new String(bytes, offset, length, StandardCharsets.UTF_8));
        }

        String text() {
            return text.toString();
        }
    }

    private Pending add() {
        return pending.add(PING, RequestDeadline.after(Duration.ofMinutes(1)));
    }
}
