package dev.orloj.api.signature;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

class Sha256Test {

    /** The example of FIPS 180-4. */
    private static final String OF_ABC =
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    @Test
    void digestIsThatOfTheStandard() {
        assertThat(Sha256.hex("abc")).isEqualTo(OF_ABC);
        assertThat(Sha256.hex(new byte[] {'a', 'b', 'c'})).isEqualTo(OF_ABC);
    }

    @Test
    void textIsDigestedInUtf8() {
        assertThat(Sha256.digest("č"))
                .isEqualTo(Sha256.digest(new byte[] {(byte) 0xC4, (byte) 0x8D}));
    }

    @Test
    void digestsInProgressDoNotShareTheirState() {
        MessageDigest one = Sha256.begin();
        one.update("a".getBytes(StandardCharsets.UTF_8));
        MessageDigest other = Sha256.begin();
        other.update("abc".getBytes(StandardCharsets.UTF_8));
        one.update("bc".getBytes(StandardCharsets.UTF_8));
        assertThat(one.digest()).isEqualTo(other.digest());
    }
}
