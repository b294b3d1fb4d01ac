package dev.orloj.server.store.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.api.ApiException;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Base64;
import java.util.List;

class SecretCipherTest {

    private static final SecretCipher CIPHER = cipher(1);

    private static SecretCipher cipher(int fill) {
        byte[] key = new byte[32];
        Arrays.fill(key, (byte) fill);
        return SecretCipher.fromBase64(Base64.getEncoder().encodeToString(key));
    }

    @Test
    void opensWhatItSealed() {
        String sealed = CIPHER.seal("žluťoučký kůň", "here");

        assertThat(CIPHER.open(sealed, "here")).isEqualTo("žluťoučký kůň");
        assertThat(sealed).startsWith("orloj:v1:").doesNotContain("žlu");
    }

    @Test
    void sameValueIsSealedDifferentlyEachTime() {
        assertThat(CIPHER.seal("a", "here")).isNotEqualTo(CIPHER.seal("a", "here"));
    }

    @Test
    void otherKeyIsNamedInTheError() {
        String sealed = cipher(2).seal("a", "here");

        assertThatThrownBy(() -> CIPHER.open(sealed, "here"))
                .isInstanceOf(ApiException.class)
                .hasMessageMatching(
                        "The stored value of here cannot be decrypted: it was encrypted with key"
                                + " \"[0-9a-f]{16}\" and the key in use is \"[0-9a-f]{16}\": .*");
    }

    @Test
    void valueDoesNotOpenInAnotherPlaceOrWhenChanged() {
        String sealed = CIPHER.seal("a", "here");
        char last = sealed.charAt(sealed.length() - 3);
        String changed =
                sealed.substring(0, sealed.length() - 3)
                        + (last == 'A' ? 'B' : 'A')
                        + sealed.substring(sealed.length() - 2);

        assertThatThrownBy(() -> CIPHER.open(sealed, "there")).isInstanceOf(ApiException.class);
        assertThatThrownBy(() -> CIPHER.open(changed, "here")).isInstanceOf(ApiException.class);
        String head = sealed.substring(0, sealed.lastIndexOf(':') + 1);
        for (String odd :
                List.of(
                        "plain",
                        "orloj:v1:x",
                        "orloj:v1:::",
                        "",
                        head,
                        head + "AAAA",
                        head + "A".repeat(28),
                        head + "%")) {
            assertThatThrownBy(() -> CIPHER.open(odd, "here")).isInstanceOf(ApiException.class);
        }
    }

    @Test
    void keyOfAnotherLengthIsRefusedWithoutShowingIt() {
        String key = Base64.getEncoder().encodeToString("too short".getBytes());

        assertThatThrownBy(() -> SecretCipher.fromBase64(key))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("openssl rand -base64 32")
                .hasMessageNotContaining(key);
        assertThatThrownBy(() -> SecretCipher.fromBase64("*secret*"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("secret");
        assertThat(DataKey.random().toString()).matches("DataKey\\[[0-9a-f]{16}]");
    }
}
