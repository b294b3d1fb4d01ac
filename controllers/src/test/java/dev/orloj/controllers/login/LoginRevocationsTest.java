package dev.orloj.controllers.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.api.v1.McpServer;
import dev.orloj.controllers.login.UserLogins.Logout;
import dev.orloj.controllers.login.UserLogins.Revocation;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

@Timeout(30)
class LoginRevocationsTest {

    private static final Logout REVOKED = new Logout(Revocation.REVOKED, "");

    private final List<String> begun = new CopyOnWriteArrayList<>();
    private final List<ResourceKey> ended = new CopyOnWriteArrayList<>();
    private final CountDownLatch answer = new CountDownLatch(1);
    private volatile Instant now = Instant.parse("2026-11-28T12:00:00Z");
    private final LoginRevocations revocations =
            new LoginRevocations(this::revoke, ended::add, () -> now);

    private Logout revoke(McpServer server) {
        begun.add(server.metadata().uid());
        try {
            answer.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        if (server.metadata().name().equals("broken")) {
            throw new IllegalStateException("the database is away");
        }
        return REVOKED;
    }

    @AfterEach
    void stop() {
        answer.countDown();
    }

    private static McpServer server(String name, String uid, String auth) {
        return Json.MAPPER.readValue(
                """
                {"apiVersion": "orloj.dev/v1", "kind": "McpServer",
                 "metadata": {"namespace": "default", "name": "%s", "uid": "%s"},
                 "spec": {"transport": "http", "endpoint": "https://h/mcp"%s}}\
                """
                        .formatted(name, uid, auth),
                McpServer.class);
    }

    private static McpServer withLogins(String name, String uid) {
        return server(
                name, uid, ", \"auth\": {\"oauth\": {\"grantType\": \"authorization_code\"}}");
    }

    @Test
    void serverWithoutLoginsHasNothingToRevoke() {
        assertThat(revocations.outcome(server("plain", "1", "")))
                .contains(new Logout(Revocation.NONE, ""));
        assertThat(begun).isEmpty();
    }

    @Test
    void revocationIsMadeOnceAndItsEndReported() {
        McpServer crm = withLogins("crm", "1");
        assertThat(revocations.outcome(crm)).isEmpty();
        assertThat(revocations.outcome(crm)).isEmpty();

        answer.countDown();

        await().until(() -> ended.contains(crm.key()));
        assertThat(revocations.outcome(crm)).contains(REVOKED);
        assertThat(begun).containsExactly("1");
    }

    @Test
    void authorizationServerThatDoesNotAnswerIsAFailureAfterTheLongestWait() {
        McpServer crm = withLogins("crm", "1");
        assertThat(revocations.outcome(crm)).isEmpty();

        now = now.plus(LoginRevocations.MAX_WAIT).minusMillis(1);
        assertThat(revocations.outcome(crm)).isEmpty();
        now = now.plusMillis(1);

        assertThat(revocations.outcome(crm))
                .contains(
                        new Logout(
                                Revocation.FAILED,
                                "the authorization server did not answer within 10 s"));
    }

    @Test
    void errorIsAFailureWithItsMessage() {
        McpServer broken = withLogins("broken", "1");
        answer.countDown();
        revocations.outcome(broken);

        await().until(() -> ended.contains(broken.key()));
        assertThat(revocations.outcome(broken))
                .contains(new Logout(Revocation.FAILED, "the database is away"));
    }

    @Test
    void serverOfTheSameNameHasItsOwnRevocation() {
        answer.countDown();
        revocations.outcome(withLogins("crm", "1"));
        await().until(() -> ended.size() == 1);

        revocations.outcome(withLogins("crm", "2"));
        await().until(() -> ended.size() == 2);
        revocations.forget(new ResourceKey("default", "crm"));
        revocations.outcome(withLogins("crm", "2"));
        await().until(() -> ended.size() == 3);

        assertThat(begun).containsExactly("1", "2", "2");
    }
}
