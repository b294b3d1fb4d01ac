package dev.orloj.runtime.examination;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.stream.Stream;

/** Hostile texts of the largest size: work is counted, because time says little. */
class ExaminationWorkTest {

    private static final int SIZE = ResultWalk.MAX_TEXT;

    /** How often a character is read, all tests of one step together. */
    private static final int MOST = 40;

    static Stream<String> hostilePatterns() {
        return Stream.of(
                "a",
                "\u200d",
                "\ufe0f",
                "\u200b\u0645",
                "\ud83d\udc69\u200d",
                "\ud83c\udff4\udb40\udc67",
                "\udb40\udc41",
                "\ud83d",
                "\u202e",
                "\u001b",
                "\u001b[",
                "\u001b[1",
                "\u001b]",
                "\u009d",
                "\u009da",
                "\u001b]\u001b",
                "]",
                "](",
                "](  ",
                "](//",
                "](//a?",
                "](//a?((((",
                "](//a?))))",
                "](<//a",
                "![",
                "![a](//b?c=",
                "src",
                "src  ",
                "src=",
                "src=\"",
                "src=\"//",
                "src='//",
                "src=\"//a?src='//b?",
                "href = ",
                "]:",
                "]:\n",
                "https://",
                "AKIA",
                "-AKIA",
                "eyJ",
                "-eyJ",
                "-eyJ.eyJ",
                "eyJ.eyJ.",
                "-eyJa.eyJ-",
                "sk-",
                "xoxb-",
                "SG.",
                "-SG.a",
                "-",
                "-----BEGIN ",
                "-----BEGIN PRIVATE KEY",
                "-----BEGIN PRIVATE KEY-----",
                "-----END ",
                "-----BEGIN PRIVATE KEY-----x-----END ");
    }

    @ParameterizedTest
    @MethodSource("hostilePatterns")
    void workGrowsWithTheLengthOfTheText(String pattern) {
        String hostile = pattern.repeat(SIZE / pattern.length());
        String single = pattern + "x".repeat(SIZE / 16);
        String blanks = pattern + " ".repeat(SIZE / 16);

        for (String text : new String[] {hostile, single, blanks}) {
            long most = MOST * (long) text.length();
            assertThat(readsOfCharacters(text)).isLessThan(most);
            assertThat(readsOfLinks(text)).isLessThan(most);
            assertThat(readsOfSecrets(text)).isLessThan(most);
        }
    }

    private static long readsOfCharacters(String text) {
        CountedText counted = new CountedText(text);
        HiddenText.remove(counted, new FindingTally());
        return counted.reads();
    }

    private static long readsOfLinks(String text) {
        CountedText counted = new CountedText(text);
        DataLinks.remove(counted, new FindingTally());
        return counted.reads();
    }

    private static long readsOfSecrets(String text) {
        CountedText counted = new CountedText(text);
        Secrets.remove(counted, new FindingTally());
        return counted.reads();
    }
}
