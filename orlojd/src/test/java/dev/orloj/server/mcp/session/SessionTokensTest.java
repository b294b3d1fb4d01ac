package dev.orloj.server.mcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;
import dev.orloj.api.testing.ManualClock;
import dev.orloj.runtime.client.ClientCapabilities;
import dev.orloj.runtime.transport.ProtocolRevision;
import dev.orloj.server.mcp.protocol.ClientSession;
import dev.orloj.server.store.table.SecretCipher;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Base64;

class SessionTokensTest {

    private final ManualClock clock = new ManualClock();
    private final SessionTokens tokens = new SessionTokens(key((byte) 1), clock);
    private final ClientSession session =
            new ClientSession(
                    "id",
                    ProtocolRevision.V2025_06_18,
                    "default/github",
                    clock.instant().truncatedTo(java.time.temporal.ChronoUnit.SECONDS),
                    "ann",
                    ClientCapabilities.of(
                            Json.MAPPER.readTree(
                                    "{\"sampling\": {}, \"elicitation\": {\"url\": {}, \"form\":"
                                            + " {}}}")));

    private static javax.crypto.SecretKey key(byte seed) {
        byte[] bytes = new byte[32];
        bytes[0] = seed;
        return SecretCipher.fromBase64(Base64.getEncoder().encodeToString(bytes))
                .derive("test", "HmacSHA256");
    }

    @Test
    void otherReplicaReadsWhatThisOneSigned() {
        SessionTokens elsewhere = new SessionTokens(key((byte) 1), clock);

        assertThat(elsewhere.verify(tokens.sign(session))).contains(session);
    }

    @Test
    void anotherKeyIsNoneOfOurs() {
        assertThat(new SessionTokens(key((byte) 2), clock).verify(tokens.sign(session))).isEmpty();
    }

    @Test
    void whatWasChangedIsNotBelieved() {
        String token = tokens.sign(session);
        for (int i = 0; i < token.length(); i++) {
            char other = token.charAt(i) == 'A' ? 'B' : 'A';
            String changed = token.substring(0, i) + other + token.substring(i + 1);
            // The last character of each part has bits that mean nothing.
            if (!sameBytes(changed, token)) {
                assertThat(tokens.verify(changed)).as(changed).isEmpty();
            }
        }
        assertThat(tokens.verify("")).isEmpty();
        assertThat(tokens.verify(".")).isEmpty();
        assertThat(tokens.verify("%.%")).isEmpty();
    }

    private static boolean sameBytes(String one, String other) {
        int dot = other.indexOf('.');
        return one.startsWith(other.substring(0, dot + 1))
                && java.util.Arrays.equals(
                        Base64.getUrlDecoder().decode(one.substring(dot + 1)),
                        Base64.getUrlDecoder().decode(other.substring(dot + 1)));
    }

    @Test
    void sessionIsOverAfterAWeek() {
        String token = tokens.sign(session);

        clock.advance(Duration.ofDays(7).minusSeconds(2));
        assertThat(tokens.verify(token)).isPresent();

        clock.advance(Duration.ofSeconds(3));
        assertThat(tokens.verify(token)).isEmpty();
    }
}
