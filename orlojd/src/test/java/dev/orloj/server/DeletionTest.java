package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** What goes when something is deleted, in which order, and what stays; of the whole server. */
class DeletionTest {

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
        namespace = "deletion-" + NAMESPACES.incrementAndGet();
        orlojd.createNamespace(namespace);
    }

    private void applyServer() {
        FakeStdioServer fake =
                FakeStdioServer.in(folder, FakeScript.wellBehaved().tools("echo", "add"));
        orlojd.client().create(namespace, "mcpservers", RunningOrlojd.stdio("s", fake.command()));
        orlojd.awaitReady(namespace, "s");
    }

    private String server() {
        return RestClient.collection(namespace, "mcpservers") + "/s";
    }

    private String tool(String name) {
        return RestClient.collection(namespace, "tools") + "/" + name;
    }

    private String path() {
        return "/api/v1/namespaces/" + namespace;
    }

    private void createTool(String name, Map<String, Object> metadata) {
        Map<String, Object> all = new java.util.HashMap<>(metadata);
        all.put("name", name);
        orlojd.client()
                .post(
                        RestClient.collection(namespace, "tools"),
                        Map.of(
                                "apiVersion",
                                "orloj.dev/v1",
                                "kind",
                                "Tool",
                                "metadata",
                                all,
                                "spec",
                                Map.of("type", "http", "endpoint", "http://x")))
                .expect(201);
    }

    private static Answer get(String path) {
        return orlojd.client().get(path);
    }

    private static void awaitGone(String path) {
        await().atMost(TIMEOUT).until(() -> get(path).code() == 404);
    }

    @Test
    void toolsAreGoneWhenTheirServerIs() {
        applyServer();

        orlojd.delete(namespace, "s");

        assertThat(orlojd.tools(namespace)).isEmpty();
    }

    @Test
    void orphanedToolsStayWithoutTheirOwner() {
        applyServer();

        Answer answer = orlojd.client().delete(server() + "?propagationPolicy=Orphan").expect(200);
        awaitGone(server());

        assertThat(answer.body().at("/metadata/finalizers").toString()).contains("\"orphan\"");
        assertThat(orlojd.tools(namespace)).containsExactlyInAnyOrder("echo", "add");
        assertThat(get(tool("s--echo")).body().at("/metadata").has("ownerReferences")).isFalse();
    }

    @Test
    void foregroundWaitsForWhatBlocks() {
        createTool("owner", Map.of());
        String uid = get(tool("owner")).body().at("/metadata/uid").asString();
        Map<String, Object> reference =
                Map.of(
                        "apiVersion", "orloj.dev/v1",
                        "kind", "Tool",
                        "name", "owner",
                        "uid", uid,
                        "blockOwnerDeletion", true);
        createTool(
                "child",
                Map.of(
                        "ownerReferences",
                        List.of(reference),
                        "finalizers",
                        List.of("example.com/hold")));

        orlojd.client().delete(tool("owner") + "?propagationPolicy=Foreground").expect(200);
        await().atMost(TIMEOUT)
                .until(() -> get(tool("child")).body().at("/metadata").has("deletionTimestamp"));
        assertThat(get(tool("owner")).expect(200).body().at("/metadata/finalizers").toString())
                .isEqualTo("[\"foregroundDeletion\"]");
        orlojd.client().patch(tool("child"), "{\"metadata\":{\"finalizers\":null}}").expect(200);

        awaitGone(tool("owner"));
        assertThat(get(tool("child")).code()).isEqualTo(404);
    }

    @Test
    void orderThatDoesNotExistIsRefusedAndNamed() {
        createTool("t", Map.of());

        Answer answer = orlojd.client().delete(tool("t") + "?propagationPolicy=Sideways");
        Answer both =
                orlojd.client()
                        .delete(tool("t") + "?propagationPolicy=Orphan&orphanDependents=true");

        assertThat(answer.expect(422).text()).contains("Sideways").contains("Foreground");
        assertThat(both.expect(422).text()).contains("cannot be both set");
    }

    @Test
    void namespaceGoesWithAllThatIsInIt() {
        applyServer();
        createTool("free", Map.of());

        Answer answer = orlojd.client().delete(path()).expect(200);
        awaitGone(path());

        assertThat(answer.body().at("/status/phase").asString()).isEqualTo("Terminating");
        assertThat(get(server()).code()).isEqualTo(404);
        assertThat(orlojd.tools(namespace)).isEmpty();
    }

    @Test
    void namespaceThatIsBeingDeletedSaysWhatHoldsItAndTakesNothingNew() {
        createTool("held", Map.of("finalizers", List.of("example.com/hold")));

        orlojd.client().delete(path()).expect(200);
        await().atMost(TIMEOUT)
                .until(
                        () ->
                                get(path())
                                        .body()
                                        .at("/status/conditions")
                                        .toString()
                                        .contains("example.com/hold in 1 resource instances"));
        Answer refused =
                orlojd.client()
                        .post(
                                RestClient.collection(namespace, "secrets"),
                                Map.of(
                                        "apiVersion",
                                        "orloj.dev/v1",
                                        "kind",
                                        "Secret",
                                        "metadata",
                                        Map.of("name", "late"),
                                        "spec",
                                        Map.of()));
        orlojd.client().patch(tool("held"), "{\"metadata\":{\"finalizers\":null}}").expect(200);

        assertThat(refused.expect(403).text()).contains("NamespaceTerminating");
        awaitGone(path());
    }

    @Test
    void namespaceDeletionGoesOnAfterARestart() {
        RunningOrlojd first = RunningOrlojd.start();
        try {
            first.createNamespace("left");
            first.client()
                    .create(
                            "left",
                            "tools",
                            """
                            apiVersion: orloj.dev/v1
                            kind: Tool
                            metadata: {name: held, finalizers: [example.com/hold]}
                            spec: {type: http, endpoint: "http://x"}
                            """);
            first.client().delete("/api/v1/namespaces/left").expect(200);
        } finally {
            first.close();
        }

        try (RunningOrlojd second = RunningOrlojd.start(first.database(), Map.of())) {
            second.client()
                    .patch(
                            RestClient.collection("left", "tools") + "/held",
                            "{\"metadata\":{\"finalizers\":null}}");

            await().atMost(TIMEOUT)
                    .until(() -> second.client().get("/api/v1/namespaces/left").code() == 404);
        }
    }

    @Test
    void namespacesAreNotDeletedTogether() {
        assertThat(orlojd.client().delete("/api/v1/namespaces").code()).isEqualTo(405);
    }
}
