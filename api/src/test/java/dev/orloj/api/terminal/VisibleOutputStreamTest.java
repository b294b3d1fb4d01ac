package dev.orloj.api.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** H-18: nothing that a terminal obeys comes through. */
class VisibleOutputStreamTest {

    private static String written(byte[] bytes, int piece) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (VisibleOutputStream visible = new VisibleOutputStream(out)) {
            for (int i = 0; i < bytes.length; i += piece) {
                visible.write(bytes, i, Math.min(piece, bytes.length - i));
                visible.flush();
            }
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'\u001b[2J' | \\u001b[2J",
                "'\u001b]0;title\u0007' | \\u001b]0;title\\u0007",
                "'a\u007fb\bc' | a\\u007fb\\u0008c",
                "'\u009b31m' | \\u009b31m",
                "'abc\u202ecba' | abc\\u202ecba",
                "'x\u2066y\u2069' | x\\u2066y\\u2069",
                "'a\u2028b\u061cc' | a\\u2028b\\u061cc",
                "'h\u00e9 \u20ac \ud83d\ude00' | h\u00e9 \u20ac \ud83d\ude00",
            })
    void hiddenCharactersAreShownHoweverTheyArrive(String text, String visible) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        for (int piece = 1; piece <= bytes.length; piece++) {
            assertThat(written(bytes, piece)).as("%d at a time", piece).isEqualTo(visible);
        }
        assertThat(VisibleText.oneLine(text)).isEqualTo(visible);
    }

    @Test
    void lineEndsAndTabsStayButNoReturnToTheBeginning() throws IOException {
        String text = "a\tb\nc\r\nsecret\rpublic\r\r\n";
        String visible = "a\tb\nc\r\nsecret\\u000dpublic\\u000d\r\n";

        for (int piece = 1; piece <= text.length(); piece++) {
            assertThat(written(text.getBytes(StandardCharsets.UTF_8), piece)).isEqualTo(visible);
        }
        assertThat(written(bytes('a', '\r'), 1)).isEqualTo("a\\u000d");
    }

    /** Some terminals take single bytes for C1, and too long forms for what they stand for. */
    @Test
    void whatIsNoUtf8IsShownByteByByte() throws IOException {
        assertThat(written(bytes(0x9b, '3', '1', 'm'), 1)).isEqualTo("\\u009b31m");
        assertThat(written(bytes(0xc0, 0x9b), 1)).isEqualTo("\\u00c0\\u009b");
        assertThat(written(bytes(0xe2, 0x80, 'x'), 3)).isEqualTo("\\u00e2\\u0080x");
        assertThat(written(bytes(0xe2, 0x1b), 2)).isEqualTo("\\u00e2\\u001b");
        assertThat(written(bytes(0xff, 0xf0), 2)).isEqualTo("\\u00ff\\u00f0");
        assertThat(written(bytes(0xef, 0xbf, 0xbd), 1)).isEqualTo("\ufffd");
    }
}
