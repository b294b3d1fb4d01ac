package dev.orloj.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.PolicyProbe;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.TracingServer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A user learns that a policy withholds a tool only if it may call the tool. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WithheldToolsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String ENDPOINT = "/mcp/default/mcpservers/one";

    @TempDir static Path data;
    @TempDir static Path folder;

    private TestPostgres.Database database;
    private HttpsOrlojd orlojd;

    @BeforeAll
    void start() throws Exception {
        database = TestPostgres.freshDatabase();
        orlojd = HttpsOrlojd.start(database, data, Map.of());
        orlojd.bind("everything", "caller");
        orlojd.grant("one", "call", "tools", "one--who");
        orlojd.grant("one", "get", "tools/calls", "one--who");
        orlojd.grant("other", "call", "tools", "one--slow");
        orlojd.grant("reader", "connect", "mcpservers", "one");
        RestClient owner = orlojd.orlojd().client();
        owner.create(
                "default",
                "mcpservers",
                TracingServer.in(folder).manifest("tool_policy: {on_new: quarantine}"));
        PolicyProbe probe = new PolicyProbe(owner);
        await().atMost(TIMEOUT).until(() -> probe.held("one").containsKey("who"));
        await().atMost(TIMEOUT)
                .until(() -> CallErrors.call(orlojd.user("everything"), "one--who").code() == 403);
    }

    @AfterAll
    void stop() {
        orlojd.close();
        database.close();
    }

    @Test
    void userWhoMayCallTheToolGetsTheReason() throws Exception {
        for (String name : List.of("everything", "one")) {
            HttpsClient user = orlojd.user(name);
            assertThat(CallErrors.call(user, "one--who").code()).isEqualTo(403);
            assertThat(CallErrors.ofTool(user, "one--who")).allSatisfy(WithheldToolsTest::isHeld);
        }
        // For a user who may use nothing that the server has now, its endpoint does not exist.
        isHeld(error(orlojd.user("everything"), ENDPOINT, "2026-07-28", "who"));
    }

    private static void isHeld(String error) {
        assertThat(error)
                .contains(
                        "this tool is held (new) by the policy of McpServer",
                        "orlojctl tools pending mcp/one -n default");
    }

    @Test
    void toolThatIsNotThereIsUnknown() throws Exception {
        HttpsClient user = orlojd.user("everything");
        assertThat(CallErrors.call(user, "one--absent").code()).isEqualTo(404);
        assertThat(CallErrors.ofTool(user, "one--absent"))
                .allSatisfy(error -> assertThat(error).doesNotContain("held"));
    }

    @Test
    void userWhoMayNotCallTheToolGetsWhatItGetsOfAnAbsentOne() throws Exception {
        for (String name : List.of("other", "reader", "nobody")) {
            HttpsClient user = orlojd.user(name);
            assertThat(CallErrors.call(user, "one--who").text())
                    .isEqualTo(CallErrors.call(user, "one--absent").text().replace("absent", "who"))
                    .doesNotContain("held");
            for (String revision : List.of("2026-07-28", "2025-11-25")) {
                assertThat(error(user, "/mcp", revision, "one__who"))
                        .isEqualTo(
                                error(user, "/mcp", revision, "one__absent")
                                        .replace("absent", "who"))
                        .doesNotContain("held");
            }
            assertThat(error(user, ENDPOINT, "2026-07-28", "who"))
                    .isEqualTo(
                            error(user, ENDPOINT, "2026-07-28", "absent").replace("absent", "who"))
                    .doesNotContain("held");
        }
    }

    private static String error(HttpsClient user, String path, String revision, String tool)
            throws Exception {
        McpUser client = new McpUser(user, path);
        McpUser asking = revision.startsWith("2026") ? client : client.initialized(revision);
        return asking.ask("tools/call", "{\"name\": \"%s\"}".formatted(tool)).text();
    }
}
