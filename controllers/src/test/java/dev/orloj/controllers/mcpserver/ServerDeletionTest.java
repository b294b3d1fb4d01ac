package dev.orloj.controllers.mcpserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ApiException;
import dev.orloj.api.v1.McpServer;

import org.junit.jupiter.api.Test;

import java.util.concurrent.CountDownLatch;

/** What the deletion of a server ends. */
class ServerDeletionTest extends GitServerScenario {

    private static final String WITH_LOGIN =
            """
            "transport": "http", "endpoint": "https://crm.example.com/mcp",
            "auth": {"oauth": {"grantType": "authorization_code"}}\
            """;

    private McpServer deletedServerWithALogin() {
        McpServer server = Manifests.server("default", "git", WITH_LOGIN);
        McpServer applied =
                harness.apply(
                        server.withMetadata(server.metadata().withFinalizer(McpServer.FINALIZER)));
        harness.delete(KEY);
        return applied;
    }

    /** The cache can still hold a server that the store has deleted. */
    @Test
    void tokensOfAServerThatOnlyTheCacheHoldsAreNotRevokedAgain() throws InterruptedException {
        McpServer server = deletedServerWithALogin();
        harness.revocationsBegin = new CountDownLatch(1);
        harness.look(KEY);
        harness.drainQueue();
        harness.revocationsBegin.countDown();
        await().until(() -> harness.isEnqueued(KEY));
        harness.stopInformers();

        harness.lookAtCaches(KEY);
        assertThat(harness.store.find(McpServer.KIND, KEY)).isEmpty();
        assertThatExceptionOfType(ApiException.class).isThrownBy(() -> harness.lookAtCaches(KEY));

        assertThat(harness.revoked).containsExactly(server.metadata().uid());
    }

    @Test
    void namesakeThatIsDeletedLaterHasItsTokensRevoked() throws InterruptedException {
        McpServer first = deletedServerWithALogin();
        harness.reconcileUntilSteady(KEY);

        McpServer second = deletedServerWithALogin();
        harness.reconcileUntilSteady(KEY);

        assertThat(harness.revoked)
                .containsExactly(first.metadata().uid(), second.metadata().uid());
        assertThat(harness.store.find(McpServer.KIND, KEY)).isEmpty();
    }
}
