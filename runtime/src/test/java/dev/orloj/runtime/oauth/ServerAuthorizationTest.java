package dev.orloj.runtime.oauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

class ServerAuthorizationTest {

    private static final Duration LIFETIME = Duration.ofMinutes(10);

    private final FakeSource source = new FakeSource();
    private final ServerAuthorization authorization =
            new ServerAuthorization("default/crm", source, () -> source.now);

    @Test
    void aTokenIsUsedUntilItIsDue() throws OAuthException {
        AccessToken first = authorization.token();
        source.now = source.now.plus(LIFETIME).minus(Duration.ofSeconds(61));

        assertThat(authorization.token()).isSameAs(first);
        assertThat(source.requests).hasValue(1);
    }

    @Test
    void theNextTokenIsRequestedWhileTheOldOneStillServes() throws Exception {
        AccessToken first = authorization.token();
        source.now = source.now.plus(LIFETIME).minus(Duration.ofSeconds(59));
        source.gate = new CountDownLatch(1);

        assertThat(authorization.token()).isSameAs(first);
        assertThat(authorization.token()).isSameAs(first);
        source.gate.countDown();

        await().until(() -> authorization.token() != first);
        assertThat(source.requests).hasValue(2);
    }

    @Test
    void requestsThatNeedATokenAtTheSameTimeShareOne() throws Exception {
        source.gate = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(20);
        Callable<AccessToken> request =
                () -> {
                    begun.countDown();
                    return authorization.token();
                };
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<AccessToken>> tokens = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                tokens.add(threads.submit(request));
            }
            begun.await();
            source.gate.countDown();
            for (Future<AccessToken> token : tokens) {
                assertThat(token.get()).isSameAs(tokens.getFirst().get());
            }
        }
        assertThat(source.requests).hasValue(1);
    }

    @Test
    void aFailureIsTheAnswerUntilItsWaitEnds() throws OAuthException {
        source.failure = OAuthException.passing(OAuthFailure.TOKEN_FAILED, "it is down", null);
        assertThatThrownBy(authorization::token).hasMessage("it is down");
        assertThatThrownBy(authorization::token).hasMessage("it is down");
        assertThat(source.requests).hasValue(1);

        source.failure = null;
        source.now = source.now.plusSeconds(1);
        assertThat(authorization.token()).isNotNull();
    }

    @Test
    void aTokenThatServesSurvivesAFailureToRenewIt() throws Exception {
        AccessToken first = authorization.token();
        source.now = source.now.plus(LIFETIME).minus(Duration.ofSeconds(30));
        source.failure = OAuthException.passing(OAuthFailure.TOKEN_FAILED, "it is down", null);

        assertThat(authorization.token()).isSameAs(first);
        await().until(() -> source.requests.get() == 2);
        assertThat(authorization.token()).isSameAs(first);

        source.now = source.now.plusSeconds(30);
        assertThatThrownBy(authorization::token).hasMessage("it is down");
    }

    @Test
    void aTokenThatWasRevokedIsReplacedOnceForAllRequests() throws OAuthException {
        AccessToken first = authorization.token();
        assertThat(authorization.renew(first, 200, List.of())).isFalse();

        assertThat(authorization.renew(first, 401, List.of("Bearer"))).isTrue();
        assertThat(authorization.renew(first, 401, List.of("Bearer"))).isTrue();

        assertThat(authorization.token()).isNotSameAs(first);
        assertThat(source.requests).hasValue(2);
    }

    /** Mistake 15: a client that gets a token with the wrong audience must not loop. */
    @Test
    void aNewTokenThatTheServerRefusesIsNotReplaced() throws OAuthException {
        AccessToken first = authorization.token();

        assertThatThrownBy(() -> authorization.renew(first, 401, List.of("Bearer")))
                .isInstanceOfSatisfying(
                        OAuthException.class,
                        e -> assertThat(e.failure()).isEqualTo(OAuthFailure.TOKEN_REJECTED))
                .hasMessageContaining("spec.auth.oauth.resource");
        assertThatThrownBy(authorization::token).hasMessageContaining("refuses the token");
        assertThat(source.requests).hasValue(1);
    }

    @Test
    void stepUpRequestsTheUnionOfTheScopes() throws OAuthException {
        AccessToken first = authorization.token();
        String challenge = "Bearer error=\"insufficient_scope\", scope=\"write\"";

        assertThat(authorization.renew(first, 403, List.of(challenge))).isTrue();

        AccessToken second = authorization.token();
        assertThat(second.scopes()).containsExactly("read", "write");
        assertThat(authorization.renew(second, 403, List.of(challenge))).isFalse();
        assertThat(source.requests).hasValue(2);
    }

    @Test
    void aServerThatAsksForEverMoreScopesGetsNoMoreTokens() throws OAuthException {
        for (int i = 0; i < 10; i++) {
            String challenge = "Bearer error=\"insufficient_scope\", scope=\"s%d\"".formatted(i);
            assertThat(authorization.renew(authorization.token(), 403, List.of(challenge)))
                    .isTrue();
        }
        String last = "Bearer error=\"insufficient_scope\", scope=\"more\"";
        AccessToken token = authorization.token();

        assertThatThrownBy(() -> authorization.renew(token, 403, List.of(last)))
                .hasMessageContaining("spec.auth.oauth.scopes");
        assertThat(authorization.token()).isSameAs(token);
    }

    private static final class FakeSource implements TokenSource {

        private final AtomicInteger requests = new AtomicInteger();
        private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");
        private volatile CountDownLatch gate = new CountDownLatch(0);
        private volatile @Nullable OAuthException failure;

        @Override
        public boolean isEager() {
            return true;
        }

        @Override
        public AccessToken next(BearerChallenge challenge, List<String> scopes)
                throws OAuthException {
            int number = requests.incrementAndGet();
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            OAuthException planned = failure;
            if (planned != null) {
                throw planned;
            }
            return new AccessToken(
                    "token-" + number, now, LIFETIME, Scopes.union(List.of("read"), scopes));
        }

        @Override
        public List<String> secrets() {
            return List.of();
        }
    }
}
