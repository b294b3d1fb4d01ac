package dev.orloj.runtime.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** H-06: what all servers together send takes no more memory than there is. */
class ReadBudgetTest {

    private static final int MIB = 1024 * 1024;

    private final ReadBudget budget = new ReadBudget(10 * MIB, 10 * MIB);
    private final AtomicInteger ended = new AtomicInteger();

    @Test
    void theOneThatTakesTheMostIsEndedAndTheOthersWaitForItsMemory() throws Exception {
        Reading small = budget.open(() -> ended.addAndGet(100));
        CountDownLatch reported = new CountDownLatch(1);
        Reading large = budget.open(reported::countDown);
        small.charge(2 * MIB);
        large.charge(8 * MIB);

        Thread waiting =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        small.charge(4 * MIB);
                                    } catch (ReadBudgetException e) {
                                        ended.addAndGet(1);
                                    }
                                });
        reported.await();
        assertThatThrownBy(() -> large.charge(1))
                .isInstanceOf(ReadBudgetException.class)
                .hasMessageContaining("orloj.messages.memory");
        large.close();
        waiting.join();

        assertThat(small.bytes()).isEqualTo(6 * MIB);
        assertThat(ended).hasValue(0);
        small.close();
        assertThat(budget.read()).isZero();
    }

    @Test
    void theOneThatAsksIsEndedWhenItTakesTheMost() throws ReadBudgetException {
        Reading other = budget.open(ended::incrementAndGet);
        other.charge(4 * MIB);
        Reading greedy = budget.open(ended::incrementAndGet);
        greedy.charge(4 * MIB);

        assertThatThrownBy(() -> greedy.charge(4 * MIB)).isInstanceOf(ReadBudgetException.class);

        assertThat(greedy.explain(new IOException("Socket closed")))
                .isInstanceOf(ReadBudgetException.class);
        assertThat(other.isRevoked()).isFalse();
        assertThat(ended).hasValue(0);
    }

    @Test
    void smallMessagesAreReadWhateverOthersTake() throws ReadBudgetException {
        Reading greedy = budget.open(() -> {});
        greedy.charge(10 * MIB + ReadBudget.FREE_BYTES);

        for (int i = 0; i < 1_000; i++) {
            budget.open(() -> {}).charge(ReadBudget.FREE_BYTES);
        }

        assertThat(budget.read()).isEqualTo(10 * MIB);
        assertThat(greedy.isRevoked()).isFalse();
    }

    @Test
    void manyThatReadAtOnceNeverTakeMoreThanThereIsAndNoneIsStuck() throws Exception {
        int readers = 16;
        CountDownLatch done = new CountDownLatch(readers);
        for (int i = 0; i < readers; i++) {
            Thread.ofVirtual()
                    .start(
                            () -> {
                                try (Reading reading = budget.open(() -> {})) {
                                    GrowingBuffer buffer = new GrowingBuffer(reading, 4 * MIB);
                                    buffer.readAll(new ByteArrayInputStream(new byte[8 * MIB]));
                                } catch (IOException e) {
                                    ended.incrementAndGet();
                                } finally {
                                    done.countDown();
                                }
                            });
        }

        await().until(() -> done.getCount() == 0);
        assertThat(budget.read()).isZero();
    }

    @Test
    void aBufferNeverGrowsBeyondItsLimit() throws IOException {
        try (Reading reading = budget.open(() -> {})) {
            GrowingBuffer buffer = new GrowingBuffer(reading, 3 * MIB);

            assertThat(buffer.readAll(new ByteArrayInputStream(new byte[3 * MIB]))).isTrue();
            assertThat(buffer.bytes()).hasSize(3 * MIB);
            assertThat(reading.bytes()).isEqualTo(3 * MIB);

            buffer.clear();
            assertThat(reading.bytes()).isZero();
            assertThat(buffer.readAll(new ByteArrayInputStream(new byte[3 * MIB + 1]))).isFalse();
        }
    }

    @Test
    void answersThatClientsDoNotReadAreCountedUntilTheirWorkIsDone() {
        MessageSize large = new MessageSize(2 * MIB, 2 * MIB);

        AnswerScope.run(
                () -> {
                    AnswerScope.add(budget.hold(large).orElseThrow());
                    assertThat(budget.hold(large)).isEmpty();
                    assertThat(budget.hold(new MessageSize(500, 0))).isPresent();
                });

        assertThat(budget.held()).isZero();
        assertThat(budget.hold(large)).isPresent();
    }

    @Test
    void anAnswerThatManyBracketsMakeLargeIsCountedAsWhatItsTreeTakes() {
        byte[] brackets = "[[],".repeat(1_000).getBytes();
        byte[] text = ("\"" + "[[],".repeat(1_000) + "\"").getBytes();

        assertThat(MessageSize.of(brackets, 0, brackets.length).memory()).isGreaterThan(200_000);
        assertThat(MessageSize.of(text, 0, text.length).memory()).isLessThan(5_000);
    }
}
