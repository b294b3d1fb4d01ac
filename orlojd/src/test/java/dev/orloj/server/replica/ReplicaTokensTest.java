package dev.orloj.server.replica;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.server.security.SignedContent;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

class ReplicaTokensTest {

    private static final String PATH = "/internal/replicas/calls";
    private static final byte[] BODY = bytes("{}");

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final ReplicaTokens one = new ReplicaTokens(key(1), "one", () -> now);
    private final ReplicaTokens two = new ReplicaTokens(key(1), "two", () -> now);

    private static SecretKey key(int content) {
        return new SecretKeySpec(new byte[] {(byte) content}, "HmacSHA256");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private String sign(String replica) {
        return one.sign(replica, "POST", PATH, BODY);
    }

    private void require(String token) {
        two.require(token, "POST", PATH).require(BODY);
    }

    @Test
    void replicaLetsInWhatAnotherHasSigned() {
        assertThatCode(() -> require(sign("two"))).doesNotThrowAnyException();
    }

    @Test
    void tokenIsGoodOnce() {
        String token = sign("two");
        require(token);

        now = now.plusSeconds(20);

        assertThatThrownBy(() -> require(token)).hasMessageContaining("used before");
    }

    @Test
    void tokenFitsNoOtherRequest() {
        assertThatThrownBy(() -> two.require(sign("two"), "GET", PATH))
                .isInstanceOf(ReplicaRefusedException.class)
                .hasMessageContaining("another request");
        assertThatThrownBy(() -> two.require(sign("two"), "POST", "/internal/replicas/else"))
                .isInstanceOf(ReplicaRefusedException.class)
                .hasMessageContaining("another request");
    }

    @Test
    void tokenFitsNoOtherBody() {
        ReplicaTokens.ExpectedBody expected = two.require(sign("two"), "POST", PATH);

        assertThatThrownBy(() -> expected.require(bytes("{ }")))
                .isInstanceOf(ReplicaRefusedException.class)
                .hasMessageContaining("another body");
    }

    @Test
    void replicaWithAnotherKeyIsRefused() {
        ReplicaTokens stranger = new ReplicaTokens(key(2), "one", () -> now);
        String token = stranger.sign("two", "POST", PATH, BODY);

        assertThatThrownBy(() -> require(token))
                .isInstanceOf(ReplicaRefusedException.class)
                .hasMessageContaining("--secret-key-file");
    }

    @Test
    void tokenForAnotherReplicaIsRefusedByName() {
        assertThatThrownBy(() -> require(sign("three")))
                .hasMessageContaining("for the replica \"three\", and this is \"two\"");
    }

    @Test
    void tokenIsGoodForAShortTime() {
        String token = sign("two");
        now = now.plus(ReplicaTokens.LIFETIME).plusSeconds(1);

        assertThatThrownBy(() -> require(token)).hasMessageContaining("clocks");

        String early = sign("two");
        now = now.minus(Duration.ofMinutes(2));

        assertThatThrownBy(() -> require(early)).hasMessageContaining("clocks");
    }

    @Test
    void tokenOfAnotherVersionIsRefused() {
        SignedContent signer = new SignedContent(key(1));

        for (String content : List.of("", "[]", "no JSON")) {
            assertThatThrownBy(() -> require(signer.sign(bytes(content))))
                    .as(content)
                    .isInstanceOf(ReplicaRefusedException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "a.b", "e30.", "%.%"})
    void whatIsNoTokenIsRefused(String token) {
        assertThatThrownBy(() -> require(token)).isInstanceOf(ReplicaRefusedException.class);
    }
}
