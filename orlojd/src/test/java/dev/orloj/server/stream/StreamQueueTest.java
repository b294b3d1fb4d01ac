package dev.orloj.server.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.server.stream.StreamedWork.Said;
import dev.orloj.server.stream.StreamedWork.Writer;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;

class StreamQueueTest {

    private final StreamQueue<String> queue = new StreamQueue<>(new Words());

    /** Words with a question mark have to arrive; a word has as many mebibytes as letters. */
    private static final class Words implements Writer<String> {

        @Override
        public void write(@Nullable String event) {
            throw new AssertionError("Nothing is written here");
        }

        @Override
        public boolean isDroppable(String event) {
            return !event.endsWith("?");
        }

        @Override
        public long bytes(String event) {
            return event.length() > 2 ? event.length() * 1024L * 1024L : 0;
        }
    }

    private boolean add(String word) {
        return queue.add(new Said<>(word, false, null));
    }

    private Said<String> take() throws InterruptedException {
        Said<String> next = queue.take(Duration.ZERO);
        assertThat(next).isNotNull();
        return next;
    }

    @Test
    void notificationsMakeRoomForWhatHasToArrive() throws Exception {
        add("a?");
        add("b");
        for (int i = 2; i < BoundedBuffer.MOST; i++) {
            add("n");
        }

        assertThat(add("c?")).isTrue();

        assertThat(take().event()).isEqualTo("a?");
        assertThat(take().event()).isEqualTo("n");
    }

    @Test
    void streamEndsWhenTooMuchHasToArrive() throws Exception {
        for (int i = 0; i < BoundedBuffer.MOST; i++) {
            assertThat(add("a?")).isTrue();
        }

        assertThat(add("b?")).isFalse();

        assertThat(take()).isEqualTo(new Said<String>(null, true, null));
        assertThat(add("c?")).isFalse();
    }

    @Test
    void streamEndsWhenWhatHasToArriveIsTooLong() throws Exception {
        assertThat(add("one of twenty bytes?")).isTrue();
        assertThat(take().event()).isEqualTo("one of twenty bytes?");
        assertThat(add("nine more?")).isTrue();

        assertThat(add("ten more?")).isFalse();

        assertThat(take().last()).isTrue();
    }

    @Test
    void lastAlwaysArrives() throws Exception {
        for (int i = 0; i < BoundedBuffer.MOST; i++) {
            add("a?");
        }

        assertThat(queue.add(new Said<>("end", true, null))).isTrue();
    }
}
