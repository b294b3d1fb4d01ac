package dev.orloj.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.server.postgres.TestPostgres;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.node.ObjectNode;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** I-19: what runs on the host is decided by those who have the verb execute, and no one else. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExecuteRightTest {

    private static final String ORLOJ = "/apis/orloj.dev/v1/namespaces/default/";
    private static final String SERVERS = ORLOJ + "mcpservers";
    private static final String REVIEWS = ORLOJ + "mcpserverreviews";

    /** Suspended, so that nothing of it ever runs. */
    private static final String SERVER =
            """
            {"apiVersion": "orloj.dev/v1", "kind": "McpServer", "metadata": {"name": "%s"},
             "spec": {"suspend": true, %s}}\
            """;

    private static final String ON_THE_HOST = "\"transport\": \"stdio\", \"command\": \"true\"";
    private static final String ISOLATED = "\"transport\": \"stdio\", \"image\": \"i\"";
    private static final String REMOTE =
            "\"transport\": \"http\", \"endpoint\": \"https://example.com/mcp\"";

    @TempDir static Path data;
    @TempDir static Path folder;

    private HttpsOrlojd orlojd;
    private HttpsClient owner;
    private HttpsClient editor;

    @BeforeAll
    void start() throws Exception {
        orlojd =
                HttpsOrlojd.start(
                        TestPostgres.freshDatabase(),
                        data,
                        Map.of(
                                "orloj.containers.policy",
                                "privileged",
                                "orloj.containers.mount-roots",
                                folder));
        owner = orlojd.owner();
        orlojd.bind("editor", "edit");
        editor = orlojd.user("editor");
        await().atMost(Duration.ofSeconds(60)).until(() -> editor.get(SERVERS).code() == 200);
        for (String name : List.of("program", "twin")) {
            assertThat(owner.post(SERVERS, SERVER.formatted(name, ON_THE_HOST)).code())
                    .isEqualTo(201);
        }
    }

    @AfterAll
    void stop() {
        orlojd.close();
    }

    private static String forbidden(String name) {
        return "mcpservers.orloj.dev \"%s\" is forbidden: User \"editor\" cannot execute resource"
                        .formatted(name)
                + " \"mcpservers\" in API group \"orloj.dev\" in the namespace \"default\": ";
    }

    @Test
    void editorCreatesServersThatRunElsewhereOrIsolated() throws Exception {
        for (String query : List.of("?dryRun=All", "")) {
            assertThat(editor.post(SERVERS + query, SERVER.formatted("remote", REMOTE)).code())
                    .isEqualTo(201);
            assertThat(editor.post(SERVERS + query, SERVER.formatted("boxed", ISOLATED)).code())
                    .isEqualTo(201);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ON_THE_HOST,
                "\"transport\": \"stdio\", \"command\": \"true\", \"attach\": {\"container\":"
                        + " \"c\"}",
                "\"transport\": \"stdio\", \"image\": \"i\", \"network\": {\"mode\": \"bridge\"}",
                "\"transport\": \"stdio\", \"image\": \"i\", \"resources\": {\"user\": \"0:0\"}"
            })
    void editorCreatesNothingThatRunsWithMore(String spec) throws Exception {
        String manifest = SERVER.formatted("more", spec);
        for (String query : List.of("?dryRun=All", "")) {
            HttpsClient.Answer created = editor.post(SERVERS + query, manifest);
            HttpsClient.Answer applied =
                    editor.patch(
                            SERVERS
                                    + "/more"
                                    + query
                                    + (query.isEmpty() ? "?" : "&")
                                    + "fieldManager=m",
                            "application/apply-patch+yaml",
                            manifest);

            assertThat(created.code()).as(created.text()).isEqualTo(403);
            assertThat(created.message()).startsWith(forbidden("more") + "spec.");
            assertThat(applied.code()).as(applied.text()).isEqualTo(403);
            assertThat(applied.message()).isEqualTo(created.message());
        }
        assertThat(owner.post(SERVERS + "?dryRun=All", manifest).code()).isEqualTo(201);
        assertThat(owner.get(SERVERS + "/more").code()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"command\": \"sh\"}",
                "{\"args\": [\"-c\", \"id\"]}",
                "{\"env\": [{\"name\": \"LD_PRELOAD\", \"value\": \"/tmp/x.so\"}]}",
                "{\"env_from\": [{\"configMapRef\": {\"name\": \"c\"}}]}"
            })
    void editorDoesNotChangeWhatRuns(String change) throws Exception {
        String one = SERVERS + "/program";
        String before = owner.get(one).json().path("spec").toString();
        List<HttpsClient.Answer> answers = new ArrayList<>();
        String patch = "{\"spec\": %s}".formatted(change);
        String manifest =
                SERVER.formatted(
                        "program",
                        "\"transport\": \"stdio\", \"command\": \"false\", "
                                + change.substring(1, change.length() - 1));
        if (change.contains("command")) {
            manifest = SERVER.formatted("program", ON_THE_HOST.replace("true", "sh"));
        }
        for (String query : List.of("?dryRun=All", "")) {
            answers.add(editor.patch(one + query, "application/merge-patch+json", patch));
            answers.add(
                    editor.patch(
                            one
                                    + query
                                    + (query.isEmpty() ? "?" : "&")
                                    + "fieldManager=m&force=true",
                            "application/apply-patch+yaml",
                            manifest));
            answers.add(put(one, query, manifest));
        }

        assertThat(answers)
                .allSatisfy(
                        answer -> {
                            assertThat(answer.code()).as(answer.text()).isEqualTo(403);
                            assertThat(answer.message()).startsWith(forbidden("program"));
                        });
        assertThat(owner.get(one).json().path("spec").toString()).isEqualTo(before);
    }

    /** Replaces the stored version, also when the controller writes its status meanwhile. */
    private HttpsClient.Answer put(String path, String query, String manifest) throws Exception {
        ObjectNode document = (ObjectNode) HttpsClient.json(manifest);
        while (true) {
            String version = owner.get(path).json().at("/metadata/resourceVersion").asString();
            document.withObject("/metadata").put("resourceVersion", version);
            HttpsClient.Answer answer = editor.send("PUT", path + query, document.toString());
            if (answer.code() != 409) {
                return answer;
            }
        }
    }

    @Test
    void editorMovesNoServerToTheHost() throws Exception {
        owner.post(SERVERS, SERVER.formatted("moving", ISOLATED));

        HttpsClient.Answer moved =
                editor.patch(
                        SERVERS + "/moving",
                        "application/merge-patch+json",
                        "{\"spec\": {\"image\": null, \"command\": \"true\"}}");

        assertThat(moved.code()).isEqualTo(403);
        assertThat(moved.message()).contains("runs a program on the host");
    }

    @Test
    void editorChangesTheRestOfAProgramAndDeletesIt() throws Exception {
        String one = SERVERS + "/twin";
        String type = "application/merge-patch+json";

        assertThat(editor.patch(one, type, "{\"metadata\": {\"labels\": {\"a\": \"b\"}}}").code())
                .isEqualTo(200);
        assertThat(editor.patch(one, type, "{\"spec\": {\"timeout\": \"7s\"}}").code())
                .isEqualTo(200);
        assertThat(put(one, "", editor.get(one).text()).code()).isEqualTo(200);
        assertThat(editor.send("DELETE", one, "").code()).isEqualTo(200);
    }

    @Test
    void verbOnOneNameIsForThatServerOnly() throws Exception {
        orlojd.grant("editor", "execute", "mcpservers", "granted");
        String granted = SERVER.formatted("granted", ON_THE_HOST);

        await().until(() -> editor.post(SERVERS + "?dryRun=All", granted).code() == 201);
        assertThat(editor.post(SERVERS, SERVER.formatted("another", ON_THE_HOST)).code())
                .isEqualTo(403);
    }

    @Test
    void adminOfTheNamespaceHasTheVerb() throws Exception {
        orlojd.bind("boss", "admin", "default");
        HttpsClient boss = orlojd.user("boss");
        String server = SERVER.formatted("of-the-boss", ON_THE_HOST);

        await().until(() -> boss.post(SERVERS + "?dryRun=All", server).code() == 201);
    }

    @Test
    void sandboxWithFoldersOfTheHostTakesTheVerbToo() throws Exception {
        String sandboxes = ORLOJ + "sandboxes?dryRun=All";
        String plain =
                """
                {"apiVersion": "orloj.dev/v1", "kind": "Sandbox", "metadata": {"name": "s"},
                 "spec": {"image": "i", "command": "c"}}\
                """;
        String mounted =
                plain.replace(
                        "\"c\"",
                        "\"c\", \"mounts\": [{\"host_path\": \"%s\", \"mount_path\": \"/m\"}]"
                                .formatted(folder.toRealPath()));
        String bridged = plain.replace("\"c\"", "\"c\", \"network\": {\"mode\": \"bridge\"}");

        HttpsClient.Answer created = editor.post(sandboxes, plain);
        assertThat(created.code()).as(created.text()).isEqualTo(201);
        assertThat(editor.post(sandboxes, bridged).message())
                .contains("cannot execute resource \"sandboxes\"");
        assertThat(editor.post(sandboxes, mounted).message())
                .contains("spec.mounts gives access to the host's files");
        assertThat(owner.post(sandboxes, bridged).code()).isEqualTo(201);
        assertThat(owner.post(sandboxes, mounted).code()).isEqualTo(201);
    }

    @Test
    void checkStartsNoProgramForAnEditor() throws Exception {
        String review = "{\"spec\": {\"start\": %s, \"manifest\": %s}}";
        String manifest = SERVER.formatted("tried", ON_THE_HOST);

        HttpsClient.Answer started = editor.post(REVIEWS, review.formatted("true", manifest));

        assertThat(started.code()).isEqualTo(403);
        assertThat(started.message()).startsWith(forbidden("tried"));
        assertThat(editor.post(REVIEWS, review.formatted("false", manifest)).code()).isEqualTo(201);
    }
}
