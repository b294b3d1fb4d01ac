package dev.orloj.server.stream;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BoundedBufferTest {

    private final BoundedBuffer<String> news = new BoundedBuffer<>(new Words());

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
    void longNewsMakeRoomSoonerThanManyDo() {
        news.add("five.");
        news.add("five?");
        news.add("fives");

        assertThat(news.add("fifth")).isTrue();

        assertThat(news.takeAll()).containsExactly("five?", "fives", "fifth");
    }

    @Test
    void whatHasToArriveCanBeTooLong() {
        assertThat(news.add("eight ??")).isTrue();
        assertThat(news.add("eight ??")).isTrue();

        assertThat(news.add("?")).isFalse();
    }

    @Test
    void oneAloneMayBeAsLongAsItIs() {
        assertThat(news.add("more than sixteen mebibytes?")).isTrue();
    }

    @Test
    void whatWasTakenWeighsNothing() {
        news.add("sixteen letters?");
        assertThat(news.poll()).isEqualTo("sixteen letters?");
        assertThat(news.add("a sixteen again?")).isTrue();
        assertThat(news.takeAll()).hasSize(1);

        assertThat(news.add("the third of it?")).isTrue();
        assertThat(news.isEmpty()).isFalse();
    }
}
