package dev.orloj.api.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.api.testing.TestChains;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Locale;

class FingerprintTest {

    private static final String HEX =
            "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    private static final String COLONS =
            HEX.replaceAll("(..)(?!$)", "$1:").toUpperCase(Locale.ROOT);
    private static final String SHA_1 = COLONS.substring(0, 59);

    @Test
    void printedFingerprintIsReadAgain() {
        Fingerprint root = Fingerprint.of(TestChains.certificate("root"));

        assertThat(Fingerprint.parse(root.toString())).isEqualTo(root);
    }

    @Test
    void linesOfProgramsAreRead() {
        for (String line :
                new String[] {
                    HEX,
                    COLONS,
                    " sha256:" + HEX + "\n",
                    "SHA256:" + COLONS,
                    "SHA256: " + COLONS, // keytool
                    "sha256 Fingerprint=" + COLONS, // openssl 3
                    "SHA256 Fingerprint=" + COLONS, // openssl 1.1
                    "authority=sha256:" + HEX // the log of orlojd
                }) {
            assertThat(Fingerprint.parse(line).hex()).as(line).isEqualTo(HEX);
        }
    }

    @Test
    void colonsBelongBetweenBytesOrNowhere() {
        for (String line :
                new String[] {
                    ":" + COLONS,
                    COLONS + ":",
                    COLONS.replaceFirst(":", "::"),
                    COLONS.replaceFirst("00:11", "0:011"),
                    COLONS.replaceFirst(":", ""),
                    "sha256:" + HEX.substring(0, 10) + ":" + HEX.substring(10),
                    "sha256 Fingerprint=sha256 Fingerprint=" + COLONS
                }) {
            assertThatThrownBy(() -> Fingerprint.parse(line))
                    .as(line)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("\"sha256:\" and 64 hexadecimal digits");
        }
    }

    @Test
    void fingerprintBySha1IsNamedWithTheRemedy() {
        for (String line :
                new String[] {
                    SHA_1,
                    SHA_1.replace(":", ""),
                    "SHA1 Fingerprint=" + SHA_1,
                    "sha1 Fingerprint=" + SHA_1,
                    "SHA1: " + SHA_1
                }) {
            assertThatThrownBy(() -> Fingerprint.parse(line))
                    .as(line)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("by SHA-1", "-sha256");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "sha256:", "sha512:00", "sha256:zz", "md5 Fingerprint=00:11"})
    void otherTextIsRefused(String text) {
        assertThatThrownBy(() -> Fingerprint.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("64 hexadecimal digits");
    }
}
