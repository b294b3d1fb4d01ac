package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ObjectMeta;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.core.Pod;
import dev.orloj.controllers.replica.Replica;
import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.runtime.testkit.FakeStdioServer;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RestClient.Answer;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** Processes of stdio servers, as kubectl sees them. */
class PodsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final AtomicInteger NAMESPACES = new AtomicInteger();

    private static RunningOrlojd orlojd;

    @TempDir Path folder;

    private String namespace;

    @BeforeAll
    static void start() {
        orlojd = RunningOrlojd.start();
    }

    @AfterAll
    static void stop() {
        orlojd.close();
    }

    @BeforeEach
    void createNamespace() {
        namespace = "pods-" + NAMESPACES.incrementAndGet();
        orlojd.createNamespace(namespace);
    }

    private FakeStdioServer apply(RunningOrlojd where, String... more) {
        FakeStdioServer fake =
                FakeStdioServer.in(
                        folder, FakeScript.wellBehaved().tools("add", "crash", "gather"));
        where.client()
                .create(namespace, "mcpservers", RunningOrlojd.stdio("s", fake.command(), more));
        where.awaitReady(namespace, "s");
        return fake;
    }

    private String pods() {
        return "/api/v1/namespaces/" + namespace + "/pods";
    }

    private Answer pod(String name) {
        return orlojd.client().get(pods() + "/" + name);
    }

    private JsonNode awaitPod(String name, Predicate<JsonNode> state) {
        return await().atMost(TIMEOUT)
                .until(() -> pod(name), answer -> answer.code() == 200 && state.test(answer.body()))
                .body();
    }

    private static String phase(JsonNode pod) {
        return pod.at("/status/phase").asString();
    }

    private static JsonNode container(JsonNode pod) {
        return pod.at("/status/containerStatuses/0");
    }

    private List<String> names() {
        return orlojd.client()
                .get(pods())
                .expect(200)
                .body()
                .path("items")
                .valueStream()
                .map(pod -> pod.at("/metadata/name").asString())
                .toList();
    }

    @Test
    void liveProcessIsARunningPod() {
        apply(orlojd);

        JsonNode pod = awaitPod("s-0", p -> phase(p).equals("Running"));

        assertThat(pod.at("/metadata/labels/orloj.dev~1mcp-server").asString()).isEqualTo("s");
        assertThat(pod.at("/metadata/labels/orloj.dev~1replica").asString()).isNotEmpty();
        assertThat(pod.at("/metadata/ownerReferences/0/kind").asString()).isEqualTo("McpServer");
        assertThat(pod.at("/spec/containers/0/name").asString()).isEqualTo("stderr");
        assertThat(container(pod).path("ready").asBoolean()).isTrue();
        assertThat(container(pod).path("restartCount").asInt()).isZero();
        assertThat(container(pod).at("/state/running").has("startedAt")).isTrue();
    }

    @Test
    void clientsOnlyRead() {
        apply(orlojd);
        awaitPod("s-0", p -> true);

        assertThat(orlojd.client().delete(pods() + "/s-0").code()).isEqualTo(405);
        assertThat(orlojd.client().patch(pods() + "/s-0", "{\"metadata\":{\"labels\":{}}}").code())
                .isEqualTo(405);
    }

    @Test
    void processThatDiesIsStartedAnewInItsPod() {
        apply(orlojd);
        awaitPod("s-0", p -> phase(p).equals("Running"));
        long pid =
                orlojd.client()
                        .get(RestClient.collection(namespace, "mcpservers") + "/s/sessions")
                        .body()
                        .at("/items/0/pid")
                        .asLong();

        ProcessHandle.of(pid).orElseThrow().destroyForcibly();

        JsonNode pod =
                awaitPod(
                        "s-0",
                        p ->
                                phase(p).equals("Running")
                                        && container(p).path("restartCount").asInt() == 1);
        assertThat(container(pod).at("/lastState/terminated/reason").asString()).isEqualTo("Error");
        assertThat(names()).containsExactly("s-0");
    }

    @Test
    void podOfTheLastProcessStaysUntilAnotherTakesItsPlace() throws Exception {
        apply(orlojd, "idle_timeout: 1s");

        JsonNode ended = awaitPod("s-0", p -> phase(p).equals("Succeeded"));
        JsonNode running;
        try (ExecutorService caller = Executors.newVirtualThreadPerTaskExecutor()) {
            // The first of two calls ends with the second: until then the process is not idle.
            Future<Answer> call = caller.submit(this::gather);
            running = awaitPod("s-0", p -> phase(p).equals("Running"));
            gather().expect(200);
            call.get().expect(200);
        }

        assertThat(container(ended).at("/state/terminated/reason").asString())
                .isEqualTo("Completed");
        assertThat(container(running).path("restartCount").asInt()).isZero();
        assertThat(names()).containsExactly("s-0");
    }

    private Answer gather() {
        return orlojd.client().call(namespace, "s--gather", "{\"of\": 2}");
    }

    @Test
    void podsGoWithTheirServer() {
        apply(orlojd);
        awaitPod("s-0", p -> true);

        orlojd.delete(namespace, "s");

        await().atMost(TIMEOUT).until(() -> names().isEmpty());
    }

    @Test
    void everyReplicaShowsItsOwnProcess() {
        apply(orlojd);
        awaitPod("s-0", p -> phase(p).equals("Running"));

        try (RunningOrlojd second = RunningOrlojd.start(orlojd.database(), Map.of())) {
            await().atMost(TIMEOUT)
                    .until(
                            () ->
                                    second.client()
                                                    .call(namespace, "s--add", "{\"a\":1,\"b\":2}")
                                                    .code()
                                            == 200);

            JsonNode other = awaitPod("s-1", p -> phase(p).equals("Running"));
            assertThat(other.at("/metadata/labels/orloj.dev~1replica"))
                    .isNotEqualTo(pod("s-0").body().at("/metadata/labels/orloj.dev~1replica"));
        }
    }

    @Test
    void replicaSweepsWhatItLeftInALifeBefore() {
        Map<String, Object> sameReplica = Map.of("orloj.data-dir", folder.resolve("data"));
        String id;
        try (RunningOrlojd before = RunningOrlojd.start(orlojd.database(), sameReplica)) {
            id = before.part(Replica.class).id();
        }
        leave("left", id);
        leave("of-another", "another");

        try (RunningOrlojd after = RunningOrlojd.start(orlojd.database(), sameReplica)) {
            assertThat(after.part(Replica.class).id()).isEqualTo(id);
            assertThat(names()).containsExactly("of-another");
        }
    }

    private void leave(String pod, String replica) {
        ResourceClient client = orlojd.part(ResourceClient.class);
        client.create(
                Pod.KIND,
                Pod.of(
                        ObjectMeta.of(namespace, pod)
                                .withLabels(Map.of(Pod.REPLICA_LABEL, replica)),
                        new Pod.Spec("host", List.of()),
                        new Pod.Status(Pod.RUNNING, "", null, List.of(), List.of())));
    }
}
