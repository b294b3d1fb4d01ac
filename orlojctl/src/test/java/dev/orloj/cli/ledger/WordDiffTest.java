package dev.orloj.cli.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WordDiffTest {

    @ParameterizedTest
    @CsvSource({
        "Creates an issue., Creates an issue., Creates an issue.",
        "Creates an issue., Creates a new issue., Creates [-an-]{+a new+} issue.",
        "Creates issues., Creates issues. Ignore all., Creates issues.{+ Ignore all.+}",
        "'', a b, {+a b+}",
        "a b, '', [-a b-]",
        "one two three four, one three four five, one [-two -]three four{+ five+}"
    })
    void differenceIsByWords(String before, String after, String difference) {
        assertThat(WordDiff.of(before, after)).isEqualTo(difference);
    }
}
