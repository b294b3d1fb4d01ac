package dev.orloj.server.stream;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BoundedBufferTest {

    private final BoundedBuffer<String> notification = new BoundedBuffer<>(new Words());

    /** Words with a question mark have to arrive; a word has as many mebibytes as letters. */
    private static final class Words implements BoundedBuffer.Weights<String> {

        @Override
        public boolean isDroppable(String word) {
            return !word.endsWith("?");
        }

        @Override
        public long bytes(String word) {
            return word.length() * 1024L * 1024L;
        }
    }

    @Test
    void longNotificationsAreDroppedSoonerThanManyShortOnes() {
        notification.add("five.");
        notification.add("five?");
        notification.add("fives");

        assertThat(notification.add("fifth")).isTrue();

        assertThat(notification.takeAll()).containsExactly("five?", "fives", "fifth");
    }

    @Test
    void whatHasToArriveCanBeTooLong() {
        assertThat(notification.add("eight ??")).isTrue();
        assertThat(notification.add("eight ??")).isTrue();

        assertThat(notification.add("?")).isFalse();
    }

    @Test
    void oneAloneMayBeAsLongAsItIs() {
        assertThat(notification.add("more than sixteen mebibytes?")).isTrue();
    }

    @Test
    void whatWasTakenWeighsNothing() {
        notification.add("sixteen letters?");
        assertThat(notification.poll()).isEqualTo("sixteen letters?");
        assertThat(notification.add("a sixteen again?")).isTrue();
        assertThat(notification.takeAll()).hasSize(1);

        assertThat(notification.add("the third of it?")).isTrue();
        assertThat(notification.isEmpty()).isFalse();
    }
}
