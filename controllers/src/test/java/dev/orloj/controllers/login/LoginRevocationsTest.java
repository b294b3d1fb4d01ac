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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

@Timeout(30)
class LoginRevocationsTest {

    private static final Logout REVOKED = new Logout(Revocation.REVOKED, "");

    /** Begins the endpoints of servers whose authorization server answers at once. */
    private static final String HEALTHY = "https://healthy";

    private final List<String> begun = new CopyOnWriteArrayList<>();
    private final List<ResourceKey> ended = new CopyOnWriteArrayList<>();
    private final CountDownLatch answer = new CountDownLatch(1);
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger mostRunning = new AtomicInteger();
    private volatile Instant now = Instant.parse("2026-11-28T12:00:00Z");
    private final LoginRevocations revocations =
            new LoginRevocations(this::revoke, ended::add, () -> now);

    private Logout revoke(McpServer server) {
        begun.add(server.metadata().uid());
        if (server.spec().http().endpoint().startsWith(HEALTHY)) {
            return REVOKED;
        }
        mostRunning.accumulateAndGet(running.incrementAndGet(), Math::max);
        try {
            answer.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            running.decrementAndGet();
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

    private static McpServer server(String name, String uid, String endpoint, String auth) {
        return Json.MAPPER.readValue(
                """
                {"apiVersion": "orloj.dev/v1", "kind": "McpServer",
                 "metadata": {"namespace": "default", "name": "%s", "uid": "%s"},
                 "spec": {"transport": "http", "endpoint": "%s"%s}}\
                """
                        .formatted(name, uid, endpoint, auth),
                McpServer.class);
    }

    private static McpServer withLogins(String name, String uid) {
        return withLogins(name, uid, "https://h/mcp");
    }

    private static McpServer withLogins(String name, String uid, String endpoint) {
        return server(
                name,
                uid,
                endpoint,
                ", \"auth\": {\"oauth\": {\"grantType\": \"authorization_code\"}}");
    }

    /** Deletes servers whose authorization server does not answer. */
    private List<McpServer> begin(int number) {
        List<McpServer> servers =
                IntStream.range(0, number)
                        .mapToObj(i -> withLogins("hostile" + i, "hostile" + i))
                        .toList();
        servers.forEach(revocations::outcome);
        return servers;
    }

    @Test
    void serverWithoutLoginsHasNothingToRevoke() {
        assertThat(revocations.outcome(server("plain", "1", "https://h/mcp", "")))
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
    void authorizationServerThatDoesNotAnswerHasALimitAndDelaysNoOther() {
        begin(HostQueue.MAX_RUNNING_PER_HOST * 3);
        McpServer healthy = withLogins("healthy", "healthy", HEALTHY + "/mcp");

        revocations.outcome(healthy);

        await().until(() -> ended.contains(healthy.key()));
        assertThat(revocations.outcome(healthy)).contains(REVOKED);
        await().until(() -> running.get() == HostQueue.MAX_RUNNING_PER_HOST);
        answer.countDown();
        await().until(() -> ended.size() == HostQueue.MAX_RUNNING_PER_HOST * 3 + 1);
        assertThat(mostRunning).hasValue(HostQueue.MAX_RUNNING_PER_HOST);
    }

    /** They share it, whatever the endpoints of their servers are. */
    @Test
    void limitIsThatOfTheIssuerIfTheManifestNamesIt() {
        for (int i = 0; i < HostQueue.MAX_RUNNING_PER_HOST + 1; i++) {
            revocations.outcome(
                    server(
                            "crm" + i,
                            "crm" + i,
                            "https://h" + i + "/mcp",
                            ", \"auth\": {\"oauth\": {\"grantType\": \"authorization_code\","
                                    + " \"issuer\": \"https://issuer/realm\"}}"));
        }

        await().until(() -> running.get() == HostQueue.MAX_RUNNING_PER_HOST);
        answer.countDown();
        await().until(() -> ended.size() == HostQueue.MAX_RUNNING_PER_HOST + 1);
        assertThat(mostRunning).hasValue(HostQueue.MAX_RUNNING_PER_HOST);
    }

    @Test
    void revocationWhoseTurnDoesNotComeInTimeIsAFailureAndIsNotMadeLater() {
        List<McpServer> servers = begin(HostQueue.MAX_RUNNING_PER_HOST + 1);
        McpServer last = servers.getLast();
        assertThat(revocations.outcome(last)).isEmpty();

        now = now.plus(LoginRevocations.MAX_WAIT);

        assertThat(revocations.outcome(last))
                .contains(
                        new Logout(
                                Revocation.FAILED,
                                "it was not asked within 10 s, because others do not end (at most 8"
                                        + " revocations run for the host of a server, and 128 for"
                                        + " all)"));
        McpServer next = withLogins("next", "next");
        revocations.outcome(next);
        answer.countDown();
        await().until(() -> ended.contains(next.key()));
        assertThat(begun).doesNotContain(last.metadata().uid());
    }

    @Test
    void revocationIsAFailureAtOnceWhenTooManyWait() {
        int most = HostQueue.MAX_RUNNING_PER_HOST + HostQueue.MAX_WAITING_PER_HOST;

        List<McpServer> servers = begin(most + 1);

        assertThat(revocations.outcome(servers.get(most - 1))).isEmpty();
        assertThat(revocations.outcome(servers.get(most)))
                .contains(
                        new Logout(
                                Revocation.FAILED,
                                "it was not asked, because too many revocations wait already"));
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
