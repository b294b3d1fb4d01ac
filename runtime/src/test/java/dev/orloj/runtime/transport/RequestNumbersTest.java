package dev.orloj.runtime.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.runtime.testkit.FakeTransports;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    /**
     * The Java SDK sent tokens of progress back as strings until 0.16; other servers do so with
     * ids.
     */
    @ParameterizedTest
    @CsvSource({"1, 1", "'\"1\"', 1", "9007199254740992, 9007199254740992"})
    void numberIsRecognizedThatAServerSendsBackAsAString(String json, long number) {
        assertThat(RequestNumbers.sentBack(FakeTransports.json(json))).hasValue(number);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "true",
                "{}",
                "1.5",
                "1e99",
                "'\"\"'",
                "'\"x\"'",
                "'\" 1\"'",
                "'\"01\"'",
                "'\"-1\"'",
                "'\"99999999999999999999\"'"
            })
    void anythingElseIsNoNumber(String json) {
        assertThat(RequestNumbers.sentBack(FakeTransports.json(json.replace("'", "")))).isEmpty();
    }
}
