package dev.orloj.runtime.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RequestNumbersTest {

    private static final long MAX_EXACT = 1L << 53;

    private static RequestNumbers after(int connections) {
        RequestNumbers numbers = new RequestNumbers();
        numbers.startAfter(connections);
        return numbers;
    }

    @Test
    void firstConnectionBeginsWithOne() {
        RequestNumbers numbers = new RequestNumbers();

        assertThat(numbers.next()).isEqualTo(1);
        assertThat(numbers.next()).isEqualTo(2);
    }

    @Test
    void laterConnectionBeginsAfterAllNumbersOfTheOneBefore() {
        assertThat(after(1).next()).isEqualTo(after(0).next() + RequestNumbers.PER_CONNECTION);
        assertThat(after(2).next()).isEqualTo(after(1).next() + RequestNumbers.PER_CONNECTION);
    }

    @Test
    void numbersAreExactForParsersThatReadADouble() {
        assertThat(after(Integer.MAX_VALUE).next() + RequestNumbers.PER_CONNECTION)
                .isBetween(0L, MAX_EXACT);
        assertThat(after((1 << 24) - 1).next() + RequestNumbers.PER_CONNECTION - 1)
                .isLessThanOrEqualTo(MAX_EXACT);
    }
}
