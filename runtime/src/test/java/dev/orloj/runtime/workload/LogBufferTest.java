package dev.orloj.runtime.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.runtime.workload.LogBuffer.Follower;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;

class LogBufferTest {

    private static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final LogBuffer log = new LogBuffer(InstantSource.fixed(NOW));

    @Test
    void theLastLinesAreKeptWithTheirTime() {
        for (int i = 0; i < LogBuffer.CAPACITY + 5; i++) {
            log.append("line " + i);
        }

        assertThat(log.tail(Integer.MAX_VALUE)).hasSize(LogBuffer.CAPACITY);
        assertThat(log.tail(1)).containsExactly(new LogBuffer.Line(1004, NOW, "line 1004"));
        assertThat(log.tail(Integer.MAX_VALUE).getFirst().text()).isEqualTo("line 5");
        assertThat(log.tail(0)).isEmpty();
    }

    @Test
    void valuesThatAreHiddenAreInNoLaterLine() {
        log.hide(SecretValues.of(List.of("hush-hush", "hush", "abc")));

        log.append("hush-hush, hush and abc");

        assertThat(log.tail(1))
                .extracting(LogBuffer.Line::text)
                .containsExactly("***, *** and abc");
    }

    @Test
    void keyOfSeveralLinesIsHiddenLineByLine() {
        log.hide(
                SecretValues.of(
                        List.of(
                                "-----BEGIN PRIVATE KEY-----\n"
                                        + "MC4CAQAwBQYDK2Vw\n"
                                        + "-----END PRIVATE KEY-----\n")));

        log.append("-----BEGIN PRIVATE KEY-----");
        log.append("MC4CAQAwBQYDK2Vw");

        assertThat(log.tail(2))
                .extracting(LogBuffer.Line::text)
                .containsExactly("-----BEGIN PRIVATE KEY-----", "***");
    }

    /** Issue 18: room for a thousand lines took 4 kB of heap of each server that logs nothing. */
    @Test
    void linesStayInOrderWhileTheBufferGrows() {
        long number = 0;
        for (int lines : List.of(0, 1, 15, 16, 17, 40, 999, 1_000, 1_001, 3)) {
            log.startRun();
            for (int i = 0; i < lines; i++) {
                log.append("line " + number++);
            }

            int kept = Math.min(lines, LogBuffer.CAPACITY);
            assertThat(log.tail(Integer.MAX_VALUE))
                    .extracting(LogBuffer.Line::number)
                    .containsExactlyElementsOf(
                            LongStream.range(number - kept, number).boxed().toList());
            assertThat(texts(log.tail(1)))
                    .isEqualTo(lines == 0 ? List.of() : List.of("line " + (number - 1)));
        }
    }

    @Test
    void aNewRunKeepsTheLinesOfTheOneBefore() {
        log.append("first run");
        log.startRun();
        log.append("second run");

        assertThat(texts(log.tail(10))).containsExactly("second run");
        assertThat(texts(log.previous())).containsExactly("first run");
    }

    @Test
    void aFollowerReadsOnIntoTheNextRun() throws InterruptedException {
        log.append("a");
        log.append("b");
        Follower follower = log.follow(1);
        log.startRun();
        log.append("c");

        assertThat(follower.next(TIMEOUT).orElseThrow().text()).isEqualTo("b");
        assertThat(follower.next(TIMEOUT).orElseThrow().text()).isEqualTo("c");
        assertThat(follower.next(Duration.ZERO)).isEmpty();
    }

    @Test
    void aFollowerThatFellBehindSkipsWhatIsGone() throws InterruptedException {
        log.append("lost");
        Follower follower = log.follow(1);
        log.startRun();
        log.startRun();
        assertThat(follower.next(Duration.ZERO)).isEmpty();
        for (int i = 0; i <= LogBuffer.CAPACITY; i++) {
            log.append("line " + i);
        }

        assertThat(follower.next(TIMEOUT).orElseThrow().text()).isEqualTo("line 1");
    }

    @Test
    void aFollowerWaitsForTheNextLine() {
        Follower follower = log.follow(0);
        CompletableFuture<String> next = new CompletableFuture<>();
        Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                next.complete(follower.next(TIMEOUT).orElseThrow().text());
                            } catch (InterruptedException e) {
                                next.completeExceptionally(e);
                            }
                        });

        log.append("here");

        assertThat(next.join()).isEqualTo("here");
    }

    @Test
    void aPumpSplitsCutsAndToleratesWhatAServerPrints() {
        byte[] text =
                ("one\r\n\ntwo\n" + "x".repeat(LogPump.MAX_LINE + 1) + "\nlast")
                        .getBytes(StandardCharsets.UTF_8);
        text[0] = (byte) 0xff;

        new LogPump(new ByteArrayInputStream(text), log::append).run();

        assertThat(texts(log.tail(10)))
                .containsExactly(
                        "\ufffdne", "", "two", "x".repeat(LogPump.MAX_LINE) + " [cut]", "last");
    }

    private static List<String> texts(List<LogBuffer.Line> lines) {
        return new ArrayList<>(lines).stream().map(LogBuffer.Line::text).toList();
    }
}
