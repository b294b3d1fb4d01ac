package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.testkit.Docker;
import dev.orloj.runtime.testkit.EngineProxy;
import dev.orloj.runtime.testkit.NeedsDocker;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** The life of servers of images: used again, started anew, put to sleep, and lost. */
@NeedsDocker
class ContainerLifeTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final AtomicInteger NAMESPACES = new AtomicInteger();

    private static EngineProxy engine;
    private static RunningOrlojd orlojd;

    private String namespace;

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
        namespace = "life-" + NAMESPACES.incrementAndGet();
        orlojd.createNamespace(namespace);
    }

    @Test
    void callsThatFollowEachOtherUseTheContainerThatIsWarm() {
        create("s");
        orlojd.awaitReady(namespace, "s");
        String first = onlyContainer();

        for (int i = 0; i < 20; i++) {
            assertThat(call("s--echo", "{\"text\": \"%d\"}".formatted(i)))
                    .isEqualTo(Integer.toString(i));
        }

        assertThat(onlyContainer()).isEqualTo(first);
        assertThat(sessions().path(0).path("calls").asInt()).isEqualTo(20);
    }

    @Test
    void theContainerOfASessionIsToldWhereverSessionsAre() {
        create("s");
        orlojd.awaitReady(namespace, "s");
        String id = Docker.inspect(onlyContainer(), "{{.Id}}");

        JsonNode session = sessions().path(0);

        assertThat(session.path("containerId").asString()).isEqualTo(id);
        assertThat(session.path("container").asString()).isEqualTo(onlyContainer());
        await().atMost(PATIENCE)
                .untilAsserted(
                        () ->
                                assertThat(
                                                pod("s-0")
                                                        .at(
                                                                "/status/containerStatuses/0/containerID")
                                                        .asString())
                                        .isEqualTo("docker://" + id));
    }

    @Test
    void aRestartTakesANewContainerAndEndsTheOldOne() {
        create("s");
        orlojd.awaitReady(namespace, "s");
        String first = onlyContainer();

        orlojd.client().post(server("s") + "/restart", Map.of()).expect(200);

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(containers()).singleElement().isNotEqualTo(first));
        assertThat(call("s--echo", "{\"text\": \"again\"}")).isEqualTo("again");
    }

    @Test
    void aRestartTakesTheImageThatTheTagStandsForNow() {
        Docker.run("tag", "orloj-test/server", "orloj-test/moving");
        createOf("orloj-test/moving", "s");
        orlojd.awaitReady(namespace, "s");
        String first = Docker.inspect("orloj-test/moving", "{{.Id}}");
        assertThat(sessions().at("/0/imageId").asString()).isEqualTo(first);

        String next = Docker.run("create", "orloj-test/server").strip();
        Docker.run("commit", "--change", "LABEL moved=yes", next, "orloj-test/moving");
        Docker.run("rm", next);
        String second = Docker.inspect("orloj-test/moving", "{{.Id}}");
        assertThat(second).isNotEqualTo(first);
        orlojd.client().post(server("s") + "/restart", Map.of()).expect(200);

        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> {
                            assertThat(sessions().findValuesAsString("imageId"))
                                    .containsExactly(second);
                            assertThat(
                                            orlojd.server(namespace, "s")
                                                    .at("/status/sandbox/imageId")
                                                    .asString())
                                    .isEqualTo(second);
                        });
    }

    @Test
    void aSuspendedServerHasNoContainerUntilItIsResumed() {
        create("s", "suspend: false");
        orlojd.awaitReady(namespace, "s");

        orlojd.client().patch(server("s"), "{\"spec\":{\"suspend\":true}}").expect(200);
        await().atMost(PATIENCE).until(() -> containers().isEmpty());
        assertThat(
                        orlojd.awaitCondition(namespace, "s", "Connected", "False")
                                .path("reason")
                                .asString())
                .isEqualTo("Suspended");

        orlojd.client().patch(server("s"), "{\"spec\":{\"suspend\":false}}").expect(200);
        orlojd.awaitReady(namespace, "s");
        assertThat(call("s--echo", "{\"text\": \"back\"}")).isEqualTo("back");
    }

    @Test
    void aContainerThatIsRemovedBehindTheBackIsReplacedAndTheEventSaysSo() {
        create("s");
        orlojd.awaitReady(namespace, "s");
        String first = onlyContainer();

        Docker.run("rm", "--force", first);

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(containers()).singleElement().isNotEqualTo(first));
        await().atMost(PATIENCE)
                .untilAsserted(
                        () ->
                                assertThat(events("Disconnected"))
                                        .anySatisfy(text -> assertThat(text).contains("SIGKILL")));
    }

    @Test
    void anEngineThatGoesAwayIsToldInTheConditionUntilItIsBack() {
        create("s", "reconnect: {max_attempts: 1, backoff: 100ms}");
        orlojd.awaitReady(namespace, "s");
        String first = onlyContainer();

        engine.cut();
        try {
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () ->
                                    assertThat(
                                                    orlojd.awaitCondition(
                                                                    namespace,
                                                                    "s",
                                                                    "Connected",
                                                                    "False")
                                                            .path("message")
                                                            .asString())
                                            .contains("Docker engine at " + engine.host()));
        } finally {
            engine.restore();
        }

        orlojd.awaitReady(namespace, "s");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(containers()).singleElement().isNotEqualTo(first));
        assertThat(call("s--echo", "{\"text\": \"back\"}")).isEqualTo("back");
    }

    private void create(String name, String... more) {
        createOf("orloj-test/server", name, more);
    }

    private void createOf(String image, String name, String... more) {
        orlojd.client()
                .create(
                        namespace,
                        "mcpservers",
                        """
                        apiVersion: orloj.dev/v1
                        kind: McpServer
                        metadata: {name: %s}
                        spec:
                          transport: stdio
                          image: %s
                          network: {mode: none}
                          %s
                        """
                                .formatted(name, image, String.join("\n  ", more)));
    }

    private String server(String name) {
        return RestClient.collection(namespace, "mcpservers") + "/" + name;
    }

    private JsonNode sessions() {
        return orlojd.client().get(server("s") + "/sessions").expect(200).body().path("items");
    }

    private JsonNode pod(String name) {
        return orlojd.client()
                .get("/api/v1/namespaces/" + namespace + "/pods/" + name)
                .expect(200)
                .body();
    }

    private List<String> events(String reason) {
        return orlojd.client()
                .get("/api/v1/namespaces/" + namespace + "/events")
                .expect(200)
                .body()
                .path("items")
                .valueStream()
                .filter(event -> event.path("reason").asString().equals(reason))
                .map(event -> event.path("message").asString())
                .toList();
    }

    private String onlyContainer() {
        List<String> all = containers();
        assertThat(all).hasSize(1);
        return all.getFirst();
    }

    private List<String> containers() {
        return Docker.run(
                        "ps",
                        "--all",
                        "--format",
                        "{{.Names}}",
                        "--filter",
                        "label=orloj.dev/namespace=" + namespace)
                .lines()
                .toList();
    }

    private String call(String tool, String arguments) {
        RestClient.Answer answer = orlojd.client().call(namespace, tool, arguments);
        return answer.expect(200).body().at("/content/0/text").asString();
    }
}
