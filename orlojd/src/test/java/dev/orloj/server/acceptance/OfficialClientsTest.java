package dev.orloj.server.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.server.testing.AcceptanceSuite;
import dev.orloj.server.testing.OrlojdProcess;
import dev.orloj.server.testing.RegistryCache;
import dev.orloj.server.testing.RestClient;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The official clients of TypeScript (of the older revisions, and of 2026-07-28), Java and Python,
 * each with servers of the older revisions and of 2026-07-28, over stdio and HTTP: through orlojd
 * all of them get what a client gets from a server of its own kind without anything in between.
 */
@Tag(AcceptanceSuite.CONFORMANCE)
@AcceptanceSuite(AcceptanceSuite.CONFORMANCE)
class OfficialClientsTest {

    @TempDir private static Path folder;

    private static final List<StoryServer.Running> running = new ArrayList<>();
    private static StoryClient.Kit kit;
    private static OrlojdProcess orlojd;
    private static JsonNode direct;

    @BeforeAll
    static void serversAreReady() throws Exception {
        Path home = RegistryCache.folder(AcceptanceSuite.CONFORMANCE);
        NodePackages node = NodePackages.install(home);
        kit = new StoryClient.Kit(node, PythonPackages.install(home.resolve("python")), folder);
        direct = StoryClient.direct(kit, StoryServer.OLDER_STDIO);
        orlojd = OrlojdProcess.start(folder.resolve("data"));
        RestClient client = orlojd.client();
        for (StoryServer server : StoryServer.values()) {
            client.create("default", "mcpservers", manifest(server));
        }
        for (StoryServer server : StoryServer.values()) {
            String path =
                    RestClient.collection("default", "mcpservers") + "/" + server.serverName();
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> client.get(path).text().contains("\"phase\":\"Ready\""));
        }
    }

    private static String manifest(StoryServer server) throws Exception {
        if (!server.isHttp()) {
            return server.manifest(kit.node());
        }
        StoryServer.Running started = server.start(kit.node());
        running.add(started);
        return server.manifest(started);
    }

    @AfterAll
    static void stop() throws InterruptedException {
        if (orlojd != null) {
            orlojd.close();
        }
        running.forEach(StoryServer.Running::close);
    }

    static Stream<Arguments> pairs() {
        return Stream.of(StoryClient.values())
                .flatMap(
                        client ->
                                Stream.of(StoryServer.values())
                                        .map(server -> Arguments.of(client, server)));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void clientGetsWhatTheServerGives(StoryClient client, StoryServer server) throws Exception {
        String endpoint = orlojd.url() + "/mcp/default/mcpservers/" + server.serverName();

        JsonNode story = client.publish(kit, endpoint);

        assertThat(Differences.between(direct, story)).isEmpty();
    }
}
