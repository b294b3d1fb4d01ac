package dev.orloj.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;

class TextTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0s",
        "-5, 0s",
        "119, 119s",
        "120, 2m",
        "192, 3m12s",
        "600, 10m",
        "10799, 179m",
        "10800, 3h",
        "172799, 47h",
        "172800, 2d",
        "86400000, 1000d"
    })
    void agesAreShort(long seconds, String expected) {
        assertThat(Text.age(Duration.ofSeconds(seconds))).isEqualTo(expected);
    }

    @Test
    void controlCharactersAreShownAndNotObeyed() {
        assertThat(Text.oneLine("a\nb\tc\u001b[31m\u009b\u0000é"))
                .isEqualTo("a b c\\u001b[31m\\u009b\\u0000é");
    }
}
