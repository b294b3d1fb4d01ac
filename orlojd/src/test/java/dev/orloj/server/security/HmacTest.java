package dev.orloj.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import javax.crypto.spec.SecretKeySpec;

class HmacTest {

    private final Hmac hmac = new Hmac(new SecretKeySpec(bytes("Jefe"), Hmac.ALGORITHM));

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private String code(String message) {
        return HexFormat.of().formatHex(hmac.of(bytes(message)));
    }

    /** The second test case of RFC 4231. */
    @Test
    void codeIsThatOfTheStandard() {
        assertThat(code("what do ya want for nothing?"))
                .isEqualTo("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    }

    @Test
    void messageLeavesNothingBehindForTheNext() {
        String first = code("one");
        code("two");

        assertThat(code("one")).isEqualTo(first);
    }

    @Test
    void threadsDoNotDisturbEachOther() throws Exception {
        List<String> messages =
                IntStream.range(0, 2_000).mapToObj(i -> "x".repeat(i % 300) + i).toList();
        List<String> codes = messages.stream().map(this::code).toList();

        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<String>> together =
                    threads.invokeAll(
                            messages.stream()
                                    .map(message -> (Callable<String>) () -> code(message))
                                    .toList());
            for (int i = 0; i < codes.size(); i++) {
                assertThat(together.get(i).get()).isEqualTo(codes.get(i));
            }
        }
    }

    @Test
    void onlyTheCodeOfTheMessageMatches() {
        byte[] message = bytes("message");
        byte[] code = hmac.of(message);

        assertThat(hmac.matches(message, code)).isTrue();
        assertThat(hmac.matches(bytes("Message"), code)).isFalse();
        assertThat(hmac.matches(message, new byte[0])).isFalse();
        code[31] ^= 1;
        assertThat(hmac.matches(message, code)).isFalse();
    }
}
