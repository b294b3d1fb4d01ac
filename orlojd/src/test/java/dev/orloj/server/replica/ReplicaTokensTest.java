package dev.orloj.server.replica;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.server.replica.ReplicaTokens.Request;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;

import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

class ReplicaTokensTest {

    private static final Request REQUEST = request("POST", "/internal/replicas/calls", "{}");

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final ReplicaTokens one = new ReplicaTokens(key(1), "one", () -> now);
    private final ReplicaTokens two = new ReplicaTokens(key(1), "two", () -> now);

    private static SecretKey key(int content) {
        return new SecretKeySpec(new byte[] {(byte) content}, "HmacSHA256");
    }

    private static Request request(String method, String path, String body) {
        return new Request(method, path, body.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void replicaLetsInWhatAnotherHasSigned() {
        String token = one.sign("two", REQUEST);

        assertThatCode(() -> two.require(token, REQUEST)).doesNotThrowAnyException();
    }

    @Test
    void tokenIsGoodOnce() {
        String token = one.sign("two", REQUEST);
        two.require(token, REQUEST);

        now = now.plusSeconds(20);

        assertThatThrownBy(() -> two.require(token, REQUEST)).hasMessageContaining("used before");
    }

    @Test
    void tokenFitsNoOtherRequest() {
        String token = one.sign("two", REQUEST);

        assertRefused(token, request("GET", "/internal/replicas/calls", "{}"));
        assertRefused(token, request("POST", "/internal/replicas/else", "{}"));
        assertRefused(token, request("POST", "/internal/replicas/calls", "{ }"));
    }

    private void assertRefused(String token, Request request) {
        assertThatThrownBy(() -> two.require(token, request))
                .isInstanceOf(ReplicaRefusedException.class)
                .hasMessageContaining("--secret-key-file");
    }

    @Test
    void replicaWithAnotherKeyIsRefused() {
        ReplicaTokens stranger = new ReplicaTokens(key(2), "one", () -> now);

        assertRefused(stranger.sign("two", REQUEST), REQUEST);
    }

    @Test
    void tokenForAnotherReplicaIsRefusedByName() {
        String token = one.sign("three", REQUEST);

        assertThatThrownBy(() -> two.require(token, REQUEST))
                .hasMessageContaining("for the replica \"three\", and this is \"two\"");
    }

    @Test
    void tokenIsGoodForAShortTime() {
        String token = one.sign("two", REQUEST);
        now = now.plus(ReplicaTokens.LIFETIME).plusSeconds(1);

        assertThatThrownBy(() -> two.require(token, REQUEST)).hasMessageContaining("clocks");

        String early = one.sign("two", REQUEST);
        now = now.minus(Duration.ofMinutes(2));

        assertThatThrownBy(() -> two.require(early, REQUEST)).hasMessageContaining("clocks");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "a.b", "e30.", "%.%"})
    void whatIsNoTokenIsRefused(String token) {
        assertThatThrownBy(() -> two.require(token, REQUEST))
                .isInstanceOf(ReplicaRefusedException.class);
    }
}
