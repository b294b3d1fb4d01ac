package dev.orloj.api.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.core.JacksonException;

import java.nio.charset.StandardCharsets;

/** H-15: what cannot be read is refused in our own words, not in those of the parser. */
class MalformedDocumentTest {

    private static MalformedDocumentException inTree(byte[] json) {
        return MalformedDocumentException.of(
                catchThrowableOfType(JacksonException.class, () -> Json.MAPPER.readTree(json)));
    }

    private static MalformedDocumentException inTree(String json) {
        return inTree(json.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "hello | unexpected text at column 1",
                "{\"a\": | it ends in the middle of a value",
                "{\"a | it ends in the middle of a value",
                "{} {} | more follows after its end at column 4",
                "{a: 1} | unexpected character 'a' at column 2",
                "[1,] | unexpected character ']' at column 4",
                "[} | unexpected character '}' at column 2",
                "{\"a\": 01} | a number that cannot be read at column 8",
                "{\"a\": 1.} | a number that cannot be read at column 9",
                "{\"a\": 1e1000000000000} | a number that cannot be read at column 23",
                "{\"a\": NaN} | unexpected text at column 10",
                "/**/ {} | unexpected character '/' at column 1",
                "\"\\x\" | unknown escape after a backslash at column 3",
            })
    void jsonThatIsBrokenSaysWhatAndWhere(String json, String problem) {
        assertThat(inTree(json)).hasMessage(problem);
    }

    @Test
    void linesAreCounted() {
        assertThat(inTree("{\n\"a\":\n?").line()).isEqualTo(3);
    }

    @Test
    void bytesThatAreNoTextSaySo() {
        assertThat(inTree(new byte[] {'"', (byte) 0xff, '"'})).hasMessageContaining("not UTF-8");
        assertThat(inTree("\"a\u0001\"")).hasMessageContaining("unexpected control character");
    }

    @Test
    void boundsAreNamed() {
        assertThat(inTree("[".repeat(300))).hasMessage("it nests deeper than 200 levels");
        assertThat(inTree("1".repeat(2_000))).hasMessage("a number has more than 1000 digits");
        assertThat(inTree("{\"" + "a".repeat(60_000) + "\":1}"))
                .hasMessage("the name of a field is too long");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a: 1e1000000000000",
                "a: [",
                "a: b: c",
                "a: \"\\x\"",
                "\ta: 1",
                "a: 'b",
                "{a: 1",
                "a: \u0001",
                "%YAML 9.9\n---\na: 1",
                "@a"
            })
    void yamlThatIsBrokenNamesNothingOfTheParser(String yaml) {
        MalformedDocumentException problem =
                catchThrowableOfType(
                        MalformedDocumentException.class,
                        () -> DocumentReader.readYaml(yaml.getBytes(StandardCharsets.UTF_8)));

        assertThat(problem.getMessage())
                .isNotBlank()
                .doesNotContain("`")
                .doesNotContainPattern("[a-z]\\.[a-z]+\\.[A-Z]|Exception|Jackson|Feature|null");
    }
}
