package dev.orloj.server.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.codec.Json;
import dev.orloj.server.testing.OrlojdProcess;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The official TypeScript clients, of the older revisions and of 2026-07-28: through orlojd they
 * get what the older one gets from the server itself.
 */
@Tag("acceptance")
@EnabledIfEnvironmentVariable(
        named = McpConformanceTest.PACKAGES,
        matches = ".+",
        disabledReason = "ORLOJ_ACCEPTANCE_CONFORMANCE names no folder for npm packages")
class OfficialClientsTest {

    @TempDir private Path folder;

    @Test
    void clientsOfBothLinesSeeTheServerAsItIs() throws Exception {
        NodePackages packages =
                NodePackages.install(Path.of(System.getenv(McpConformanceTest.PACKAGES)));
        Path fixture = packages.script("conformance-server.mjs");
        JsonNode direct = story(packages, "direct", packages.node(), fixture.toString());
        try (OrlojdProcess orlojd = OrlojdProcess.start(folder.resolve("data"))) {
            RestClient client = orlojd.client();
            client.create(
                    "default",
                    "mcpservers",
                    RunningOrlojd.stdio(
                            "conformance", List.of(packages.node(), fixture.toString())));
            String path = RestClient.collection("default", "mcpservers") + "/conformance";
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> client.get(path).text().contains("\"phase\":\"Ready\""));
            String endpoint = orlojd.url() + "/mcp/default/mcpservers/conformance";

            assertThat(story(packages, "older", endpoint)).isEqualTo(direct);
            assertThat(story(packages, "newer", endpoint)).isEqualTo(direct);
        }
    }

    private JsonNode story(NodePackages packages, String line, String... target) throws Exception {
        List<String> command = new ArrayList<>();
        command.addAll(List.of(packages.node(), packages.script("agent-story.mjs").toString()));
        command.add(line);
        command.addAll(List.of(target));
        return OfficialClient.comparable(
                Json.MAPPER.readTree(Command.run(folder, Duration.ofMinutes(2), command)));
    }
}
