package dev.orloj.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ResourceKey;
import dev.orloj.server.authorization.Rights;
import dev.orloj.server.mcp.protocol.EndpointScope;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

/**
 * What the store has and the catalog of this replica has not yet received: a client may know it
 * from another replica, or from the REST API.
 */
@Timeout(60)
class CatalogBehindTest {

    private static final ResourceKey GITHUB = McpRig.SERVER.server();
    private static final ResourceKey NEW = new ResourceKey("default", "new");

    private final McpRig rig = new McpRig();

    @BeforeEach
    void informersAreHeld() {
        rig.informers().hold();
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private Agent agent(String path) {
        Agent agent = rig.agent(path, "2025-11-25");
        // Its first request has released the informers.
        rig.informers().hold();
        return agent;
    }

    @Test
    void callInASessionWaitsForItsTool() {
        Agent agent = agent("/mcp");
        rig.informers().createTool(GITHUB, "late");

        assertThat(agent.call("github__late", "{}").json().has("result")).isTrue();
    }

    @Test
    void callWithoutASessionWaitsForItsTool() {
        rig.informers().createTool(GITHUB, "late");

        assertThat(
                        new StatelessAgent(rig.probe("/mcp"))
                                .call("github__late", "{}")
                                .json()
                                .has("result"))
                .isTrue();
    }

    @Test
    void callAtTheEndpointOfAServerWaitsForItsTool() {
        Agent agent = agent("/mcp/default/mcpservers/github");
        rig.informers().createTool(GITHUB, "late");

        assertThat(agent.call("late", "{}").json().has("result")).isTrue();
    }

    /** The informers of servers and Tools follow the store each on its own. */
    @Test
    void callOfAKnownToolWaitsForItsServer() {
        Agent agent = agent("/mcp");
        rig.putTool(NEW, McpRig.ECHO);
        rig.informers().createServer(NEW);

        assertThat(agent.call("new__echo", "{}").json().has("result")).isTrue();
    }

    @Test
    void endpointOfAServerWaitsForTheServer() {
        rig.informers().createServer(NEW);

        Agent agent = rig.agent("/mcp/default/mcpservers/new", "2025-11-25");

        assertThat(agent.ask("tools/list", "{}").json().at("/result/tools").isArray()).isTrue();
    }

    @Test
    void endpointOfANamespaceWaitsForTheNamespace() {
        rig.informers().createNamespace("late");

        Agent agent = rig.agent("/mcp/late", "2025-11-25");

        assertThat(agent.ask("tools/list", "{}").json().at("/result/tools")).isEmpty();
    }

    @Test
    void knownNamespaceWithoutToolsIsNotReadFromTheStore() throws InterruptedException {
        int before = rig.informers().reads();

        assertThat(isKnown("/mcp/empty")).isTrue();

        assertThat(rig.informers().reads()).isEqualTo(before);
    }

    @Test
    void requestsForNamespacesThatAreNowhereShareTheirReads() throws Exception {
        CountDownLatch mayAnswer = new CountDownLatch(1);
        rig.informers().onRead(() -> awaitUninterrupted(mayAnswer));
        List<FutureTask<Boolean>> requests = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            FutureTask<Boolean> request = new FutureTask<>(() -> isKnown("/mcp/none"));
            requests.add(request);
            Thread caller = Thread.ofPlatform().start(request);
            if (i == 0) {
                await().until(() -> rig.informers().reads() == 1);
            }
            await().until(() -> caller.getState() == Thread.State.TIMED_WAITING);
        }

        mayAnswer.countDown();

        for (FutureTask<Boolean> each : requests) {
            assertThat(each.get()).isFalse();
        }
        assertThat(rig.informers().reads()).isEqualTo(2);
    }

    private boolean isKnown(String path) throws InterruptedException {
        return rig.legacySse()
                .initializer()
                .isKnown(EndpointScope.parse(path).orElseThrow(), Rights.EVERYTHING);
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void selectionOfServersWaitsForThem() {
        rig.informers().createServer(NEW);

        Agent agent = rig.agent("/mcp?servers=new", "2025-11-25");

        assertThat(agent.ask("tools/list", "{}").json().at("/result/tools").isArray()).isTrue();
    }

    @Test
    void sessionBeginsWithTheToolsOfTheStore() {
        rig.informers().createTool(GITHUB, "late");

        assertThat(
                        rig.agent("/mcp", "2025-11-25")
                                .ask("tools/list", "{}")
                                .json()
                                .at("/result/tools")
                                .valueStream()
                                .map(tool -> tool.path("name").asString()))
                .containsExactly("github__echo", "github__late");
    }

    @Test
    void promptOfANewServerIsRequestedThere() {
        Agent agent = agent("/mcp");
        rig.informers().createServer(NEW);

        assertThat(agent.ask("prompts/get", "{\"name\": \"new__p\"}").json().toString())
                .doesNotContain("unavailable");
    }

    @Test
    void promptOfANewServerWithAKnownToolIsRequestedThere() {
        Agent agent = agent("/mcp");
        rig.putTool(NEW, McpRig.ECHO);
        rig.informers().createServer(NEW);

        assertThat(agent.ask("prompts/get", "{\"name\": \"new__p\"}").json().toString())
                .doesNotContain("unavailable");
    }

    @Test
    void callOfAKnownToolDoesNotReadTheStore() {
        Agent agent = agent("/mcp");
        int before = rig.informers().reads();

        assertThat(agent.call("github__echo", "{}").json().has("result")).isTrue();

        assertThat(rig.informers().reads()).isEqualTo(before);
    }

    @Test
    void callOfAToolThatIsNowhereFails() {
        assertThat(agent("/mcp").call("github__none", "{}").json().at("/error/message").asString())
                .isEqualTo("Unknown: \"github__none\"");
    }
}
