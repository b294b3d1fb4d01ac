package dev.orloj.controllers.mcpserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ApiException;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.client.Propagation;
import dev.orloj.api.core.Event;
import dev.orloj.api.testing.FaultyClient.Verb;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.batch.BatchedWrites;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

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

    /** The cache can still lack what this controller, or the leader before it, wrote last. */
    @Test
    void toolsThatTheCacheDoesNotHaveAreGoneWhenTheirServerIs() throws InterruptedException {
        script.offer("log", "create_issue");
        harness.stopInformer(Tool.KIND);
        harness.apply(Manifests.server("default", "git", STDIO));
        harness.reconcile(KEY);
        assertThat(harness.toolNames()).hasSize(2);

        List<String> leftBehind = deleteAndListToolsAsTheServerGoes();

        assertThat(leftBehind).isEmpty();
        assertThat(deletedEvent()).endsWith("Tools deleted: 2");
    }

    /** The server keeps its finalizer until its last Tool is deleted. */
    @Test
    void toolsOfManyPagesAreGoneWhenTheirServerIs() throws InterruptedException {
        int many = 2 * BatchedWrites.MAX_WRITES + 1;
        script.offer(
                IntStream.range(0, many).mapToObj("tool_%03d"::formatted).toArray(String[]::new));
        harness.stopInformer(Tool.KIND);
        harness.apply(Manifests.server("default", "git", STDIO));
        harness.reconcile(KEY);
        assertThat(harness.toolNames()).hasSize(many);

        List<String> leftBehind = deleteAndListToolsAsTheServerGoes();

        assertThat(leftBehind).isEmpty();
        assertThat(deletedEvent()).endsWith("Tools deleted: " + many);
    }

    @Test
    void toolWhoseLabelsAUserRemovedIsGoneWhenItsServerIs() throws InterruptedException {
        script.offer("log", "create_issue");
        applyAndSettle(STDIO);
        Tool tool = harness.all(Tool.KIND).getFirst();
        harness.store.update(Tool.KIND, tool.withMetadata(tool.metadata().withLabels(Map.of())));

        assertThat(deleteAndListToolsAsTheServerGoes()).isEmpty();
    }

    @Test
    void toolThatTheServerDoesNotOwnStays() throws InterruptedException {
        script.offer("log");
        applyAndSettle(STDIO);
        Tool own = Manifests.tool("default", "own", "\"type\": \"http\"");
        harness.store.create(
                Tool.KIND,
                own.withMetadata(own.metadata().withLabels(Map.of(Tool.SERVER_LABEL, "git"))));

        assertThat(deleteAndListToolsAsTheServerGoes()).containsExactly("own");
    }

    @Test
    void orphanedToolsThatTheCacheDoesNotHaveStay() throws InterruptedException {
        script.offer("log");
        harness.stopInformer(Tool.KIND);
        harness.apply(Manifests.server("default", "git", STDIO));
        harness.reconcile(KEY);
        harness.store.delete(
                McpServer.KIND, KEY, DeleteOptions.UNCONDITIONAL.with(Propagation.ORPHAN));

        harness.reconcile(KEY);

        assertThat(harness.server(KEY).metadata().finalizers())
                .containsExactly(Propagation.ORPHAN_FINALIZER);
        assertThat(harness.toolNames()).containsExactly("git--log");
    }

    /** Only a deletion pays for the certainty. */
    @Test
    void toolsAreListedFromTheStoreOnlyForADeletion() throws InterruptedException {
        AtomicInteger lists = new AtomicInteger();
        harness.client.failBefore(
                request -> {
                    if (request.verb() == Verb.LIST) {
                        lists.incrementAndGet();
                    }
                });
        script.offer("log");
        applyAndSettle(STDIO);
        assertThat(lists).hasValue(0);

        harness.delete(KEY);
        harness.reconcile(KEY);

        assertThat(lists).hasValue(1);
    }

    /** Returns the Tools in the store at the moment the server leaves it. */
    private List<String> deleteAndListToolsAsTheServerGoes() {
        AtomicReference<List<String>> left = new AtomicReference<>();
        harness.client.failAfter(
                request -> {
                    if (request.verb() == Verb.UPDATE
                            && harness.store.find(McpServer.KIND, KEY).isEmpty()) {
                        left.set(harness.toolNames());
                    }
                });
        harness.delete(KEY);
        harness.reconcile(KEY);
        return left.get();
    }

    private String deletedEvent() {
        return harness.all(Event.KIND).stream()
                .filter(event -> event.reason().equals("Deleted"))
                .map(Event::message)
                .findFirst()
                .orElseThrow();
    }
}
