package dev.orloj.runtime.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

class BytePipeTest {

    @Test
    void bytesComeOutAsTheyWentInWhateverThePieces() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        byte[] sent = new byte[100_000];
        random.nextBytes(sent);
        BytePipe pipe = new BytePipe(37);
        CompletableFuture<Void> writer =
                CompletableFuture.runAsync(
                        () -> {
                            Random pieces = new Random(seed + 1);
                            for (int done = 0; done < sent.length; ) {
                                int length = Math.min(pieces.nextInt(100), sent.length - done);
                                write(pipe, sent, done, length);
                                done += length;
                            }
                            pipe.end();
                        });

        assertThat(pipe.in().readAllBytes()).as("seed %d", seed).isEqualTo(sent);
        writer.join();
    }

    @Test
    void aWriterWaitsForRoomAndGoesOnWhenSomethingIsRead() throws IOException {
        BytePipe pipe = new BytePipe(4);
        CompletableFuture<Void> writer =
                CompletableFuture.runAsync(
                        () -> write(pipe, "abcdefgh".getBytes(StandardCharsets.UTF_8), 0, 8));

        assertThat(pipe.in().readNBytes(3)).isEqualTo("abc".getBytes(StandardCharsets.UTF_8));
        assertThat(writer).isNotDone();
        assertThat(pipe.in().readNBytes(5)).isEqualTo("defgh".getBytes(StandardCharsets.UTF_8));
        await().until(writer::isDone);
    }

    @Test
    void writingFailsOnceTheReaderHasGone() {
        BytePipe pipe = new BytePipe(4);
        CompletableFuture<Void> writer =
                CompletableFuture.runAsync(() -> write(pipe, new byte[8], 0, 8));

        pipe.abandon();

        assertThatThrownBy(writer::join).isInstanceOf(CompletionException.class);
        assertThatThrownBy(() -> pipe.out().write(1)).isInstanceOf(IOException.class);
    }

    @Test
    void readingNothingWaitsForNothing() throws IOException {
        assertThat(new BytePipe(4).in().read(new byte[0], 0, 0)).isZero();
    }

    private static void write(BytePipe pipe, byte[] bytes, int offset, int length) {
        try {
            pipe.out().write(bytes, offset, length);
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }
}
