package dev.orloj.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;

import javax.crypto.spec.SecretKeySpec;

class SignedContentTest {

    private final SignedContent signer = signer(1);

    private static SignedContent signer(int key) {
        return new SignedContent(new SecretKeySpec(new byte[] {(byte) key}, Hmac.ALGORITHM));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void contentComesBackWithTheKey() {
        String signed = signer.sign(bytes("{\"ä\": [1]}\n"));

        assertThat(signer(1).open(signed)).contains(bytes("{\"ä\": [1]}\n"));
        assertThat(signer(2).open(signed)).isEmpty();
        assertThat(signer(1).open(signer.sign(new byte[0]))).contains(new byte[0]);
    }

    @Test
    void signatureIsGoodForItsContentOnly() {
        String one = signer.sign(bytes("one"));
        String two = signer.sign(bytes("two"));

        assertThat(
                        signer.open(
                                one.substring(0, one.indexOf('.'))
                                        + two.substring(two.indexOf('.'))))
                .isEmpty();
    }

    @Test
    void fitsIntoUrlsAndHeaders() {
        byte[] everything = new byte[256];
        for (int i = 0; i < everything.length; i++) {
            everything[i] = (byte) i;
        }

        assertThat(signer.sign(everything)).matches("[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "b25l", "b25l.", ".AA", "%.%", "é.ü", "b25l.AAAA.AAAA"})
    void nothingElseIsOpened(String signed) {
        assertThat(signer.open(signed)).isEmpty();
    }
}
