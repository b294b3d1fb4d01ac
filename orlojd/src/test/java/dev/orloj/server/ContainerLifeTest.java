package dev.orloj.server;

import static dev.orloj.server.testing.ContainerNamespace.TIMEOUT;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.testkit.Docker;
import dev.orloj.runtime.testkit.EngineProxy;
import dev.orloj.runtime.testkit.NeedsDocker;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.ContainerNamespace;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The life of servers of images: used again, started anew, put to sleep, and lost. */
@NeedsDocker
class ContainerLifeTest {

    private static EngineProxy engine;
    private static RunningOrlojd orlojd;

    private ContainerNamespace namespace;

    @BeforeAll
    static void start() {
        engine = new EngineProxy();
        orlojd =
                RunningOrlojd.start(
                        TestPostgres.freshDatabase(),
                        Map.of("orloj.containers.host", engine.host()));
    }

    @AfterAll
    static void stop() throws IOException {
        orlojd.close();
        engine.close();
    }

    @BeforeEach
    void createNamespace() {
        namespace = ContainerNamespace.create(orlojd);
    }

    @Test
    void callsThatFollowEachOtherUseTheContainerThatIsWarm() {
        namespace.createServer("s");
        namespace.awaitReady("s");
        String first = namespace.onlyContainer();

        for (int i = 0; i < 20; i++) {
            assertThat(namespace.call("s--echo", "{\"text\": \"%d\"}".formatted(i)))
                    .isEqualTo(Integer.toString(i));
        }

        assertThat(namespace.onlyContainer()).isEqualTo(first);
        assertThat(namespace.sessions("s").path(0).path("calls").asInt()).isEqualTo(20);
    }

    @Test
    void theContainerOfASessionIsReportedWhereverSessionsAre() {
        namespace.createServer("s");
        namespace.awaitReady("s");
        String id = Docker.inspect(namespace.onlyContainer(), "{{.Id}}");

        JsonNode session = namespace.sessions("s").path(0);

        assertThat(session.path("containerId").asString()).isEqualTo(id);
        assertThat(session.path("container").asString()).isEqualTo(namespace.onlyContainer());
        await().atMost(TIMEOUT)
                .untilAsserted(
                        () ->
                                assertThat(
                                                namespace
                                                        .pod("s-0")
                                                        .at(
                                                                "/status/containerStatuses/0/containerID")
                                                        .asString())
                                        .isEqualTo("docker://" + id));
    }

    @Test
    void aRestartTakesANewContainerAndEndsTheOldOne() {
        namespace.createServer("s");
        namespace.awaitReady("s");
        String first = namespace.onlyContainer();

        orlojd.client().post(namespace.path("mcpservers", "s", "restart"), Map.of()).expect(200);

        namespace.awaitOtherContainerThan(first);
        assertThat(namespace.call("s--echo", "{\"text\": \"again\"}")).isEqualTo("again");
    }

    @Test
    void aRestartTakesTheImageThatTheTagStandsForNow() {
        Docker.run("tag", "orloj-test/server", "orloj-test/moving");
        namespace.createServerOf("orloj-test/moving", "s");
        namespace.awaitReady("s");
        String first = Docker.inspect("orloj-test/moving", "{{.Id}}");
        assertThat(namespace.sessions("s").at("/0/imageId").asString()).isEqualTo(first);

        String next = Docker.run("create", "orloj-test/server").strip();
        Docker.run("commit", "--change", "LABEL moved=yes", next, "orloj-test/moving");
        Docker.run("rm", next);
        String second = Docker.inspect("orloj-test/moving", "{{.Id}}");
        assertThat(second).isNotEqualTo(first);
        orlojd.client().post(namespace.path("mcpservers", "s", "restart"), Map.of()).expect(200);

        await().atMost(TIMEOUT)
                .untilAsserted(
                        () -> {
                            assertThat(namespace.sessions("s").findValuesAsString("imageId"))
                                    .containsExactly(second);
                            assertThat(
                                            orlojd.server(namespace.name(), "s")
                                                    .at("/status/sandbox/imageId")
                                                    .asString())
                                    .isEqualTo(second);
                        });
    }

    @Test
    void aSuspendedServerHasNoContainerUntilItIsResumed() {
        namespace.createServer("s", "suspend: false");
        namespace.awaitReady("s");

        orlojd.client()
                .patch(namespace.path("mcpservers", "s"), "{\"spec\":{\"suspend\":true}}")
                .expect(200);
        namespace.awaitNoContainers();
        assertThat(namespace.awaitCondition("s", "Connected", "False").path("reason").asString())
                .isEqualTo("Suspended");

        orlojd.client()
                .patch(namespace.path("mcpservers", "s"), "{\"spec\":{\"suspend\":false}}")
                .expect(200);
        namespace.awaitReady("s");
        assertThat(namespace.call("s--echo", "{\"text\": \"back\"}")).isEqualTo("back");
    }

    @Test
    void aContainerThatIsRemovedBehindTheBackIsReplacedAndTheEventSaysSo() {
        namespace.createServer("s");
        namespace.awaitReady("s");
        String first = namespace.onlyContainer();

        Docker.run("rm", "--force", first);

        namespace.awaitOtherContainerThan(first);
        await().atMost(TIMEOUT)
                .untilAsserted(
                        () ->
                                assertThat(events("Disconnected"))
                                        .anySatisfy(text -> assertThat(text).contains("SIGKILL")));
    }

    @Test
    void anEngineThatGoesAwayIsReportedInTheConditionUntilItIsBack() {
        namespace.createServer("s", "reconnect: {max_attempts: 1, backoff: 100ms}");
        namespace.awaitReady("s");
        String first = namespace.onlyContainer();

        engine.cut();
        try {
            await().atMost(TIMEOUT)
                    .untilAsserted(
                            () ->
                                    assertThat(
                                                    namespace
                                                            .awaitCondition(
                                                                    "s", "Connected", "False")
                                                            .path("message")
                                                            .asString())
                                            .contains("Docker engine at " + engine.host()));
        } finally {
            engine.restore();
        }

        namespace.awaitReady("s");
        namespace.awaitOtherContainerThan(first);
        assertThat(namespace.call("s--echo", "{\"text\": \"back\"}")).isEqualTo("back");
    }

    @Test
    void aCallThatLosesItsEngineFailsWithTheReasonAndTheNextOneWorks() {
        namespace.createServer("s");
        namespace.awaitReady("s");
        try (ExecutorService caller = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<RestClient.Answer> lost =
                    caller.submit(
                            () ->
                                    orlojd.client()
                                            .call(
                                                    namespace.name(),
                                                    "s--run",
                                                    "{\"command\": [\"sleep\", \"60\"]}"));
            await().atMost(TIMEOUT)
                    .until(() -> namespace.sessions("s").at("/0/inFlight").asInt(0) == 1);

            engine.cut();
            try {
                assertThat(lost.get(10, TimeUnit.SECONDS).expect(503).text())
                        .contains("the connection to its container")
                        .contains("the call may have been carried out");
            } finally {
                engine.restore();
            }
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError(e);
        }

        namespace.awaitReady("s");
        await().atMost(TIMEOUT)
                .untilAsserted(
                        () ->
                                assertThat(
                                                orlojd.client()
                                                        .call(
                                                                namespace.name(),
                                                                "s--echo",
                                                                "{\"text\": \"back\"}")
                                                        .code())
                                        .isEqualTo(200));
    }

    private List<String> events(String reason) {
        return orlojd.client()
                .get("/api/v1/namespaces/" + namespace.name() + "/events")
                .expect(200)
                .body()
                .path("items")
                .valueStream()
                .filter(event -> event.path("reason").asString().equals(reason))
                .map(event -> event.path("message").asString())
                .toList();
    }
}
