package dev.orloj.cli.rendering;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;
import dev.orloj.cli.command.CommandTest;
import dev.orloj.cli.testing.CommandLineRun;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The servers are those of the recorded outputs of kubectl. */
@DisplayName("20.3: get prints what kubectl prints, with its flags")
class GetRenderingTest extends CommandTest {

    private final JsonNode recorded = read();

    @TempDir private Path folder;

    private static JsonNode read() {
        try (InputStream in =
                GetRenderingTest.class.getResourceAsStream(
                        "/dev/orloj/cli/jsonpath/kubectl.json")) {
            return Json.MAPPER.readTree(in);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void putServers() {
        for (JsonNode item : recorded.at("/document/items")) {
            ObjectNode server = (ObjectNode) item.deepCopy();
            server.withObject("/metadata").remove("resourceVersion");
            orlojd.resources().put(server.toString());
        }
    }

    @Test
    void customColumnsAreThoseOfKubectl() {
        for (JsonNode columns : recorded.path("columns")) {
            CommandLineRun run =
                    ctl("get", "mcp", "-o", "custom-columns=" + columns.path("columns").asString());

            assertThat(run.out()).isEqualTo(columns.path("output").asString());
        }
    }

    @Test
    void sortedNamesAreThoseOfKubectl() {
        for (JsonNode sorted : recorded.path("sorted")) {
            String path = sorted.path("path").asString();
            if (path.contains("labels")) {
                continue; // kubectl leaves open in which order resources without a value are
            }

            CommandLineRun names = ctl("get", "mcp", "--sort-by", path, "-o", "name");
            CommandLineRun documents =
                    ctl(
                            "get",
                            "mcp",
                            "--sort-by",
                            path,
                            "-o",
                            "jsonpath={.items[*].metadata.name}");

            String expected =
                    String.join(
                            " ",
                            sorted.path("output").valueStream().map(JsonNode::asString).toList());
            assertThat(documents.out()).as(path).isEqualTo(expected);
            assertThat(names.out().replace("mcpserver.orloj.dev/", "").replace('\n', ' ').strip())
                    .as(path)
                    .isEqualTo(expected);
        }
    }

    @Test
    void labelsHaveColumns() {
        assertThat(ctl("get", "mcp", "--show-labels").out().lines().toList())
                .satisfies(
                        lines -> {
                            assertThat(lines.get(0)).endsWith("LABELS");
                            assertThat(lines.get(1)).endsWith("team=docs");
                            assertThat(lines.get(2))
                                    .endsWith("app.kubernetes.io/name=github,team=web");
                            assertThat(lines.get(3)).endsWith("<none>");
                        });
        assertThat(ctl("get", "mcp", "-L", "team,app.kubernetes.io/name").out().lines().toList())
                .satisfies(
                        lines -> {
                            assertThat(lines.get(0)).endsWith("TEAM   NAME");
                            assertThat(lines.get(2)).endsWith("web    github");
                        });
    }

    @Test
    void oneResourceIsADocumentAndNotAList() {
        assertThat(ctl("get", "mcp", "github", "-o", "jsonpath={.spec.transport}").out())
                .isEqualTo("http");
        assertThat(
                        ctl("get", "mcp/github", "mcp/weather9", "-o", "jsonpath={.items[*].kind}")
                                .out())
                .isEqualTo("McpServer McpServer");
    }

    @Test
    void goTemplatesAreRefusedWithAPointerToJsonpath() {
        CommandLineRun run = ctl("get", "mcp", "-o", "go-template={{.kind}}");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .startsWith("orlojctl: orlojctl has no Go templates: use -o jsonpath=");
        assertThat(ctl("get", "mcp", "-o", "jsonpth").err()).contains("did you mean \"jsonpath=");
        assertThat(ctl("get", "mcp", "-o", "jsonpath").err()).contains("needs a template");
        assertThat(ctl("get", "mcp", "-o", "jsonpath={.items[9].kind}").err())
                .isEqualTo("orlojctl: jsonpath: array index out of bounds: index 9, length 4\n");
    }

    @Test
    void missingResourcesCanBeIgnored() {
        CommandLineRun run = ctl("get", "mcp", "nope", "--ignore-not-found");

        assertThat(run).isEqualTo(new CommandLineRun(0, "", ""));
        assertThat(ctl("get", "mcp", "nope", "--ignore-not-found", "-o", "yaml"))
                .isEqualTo(new CommandLineRun(0, "", ""));
    }

    @Test
    void resourcesOfManifestsAreShown() throws IOException {
        Path file =
                Files.writeString(
                        folder.resolve("a.yaml"),
                        """
                        apiVersion: orloj.dev/v1
                        kind: McpServer
                        metadata: {name: github}
                        spec: {transport: stdio, command: npx}
                        """);

        assertThat(ctl("get", "-f", file.toString(), "-o", "name").out())
                .isEqualTo("mcpserver.orloj.dev/github\n");
        assertThat(ctl("get", "-R", "-f", folder.toString(), "-o", "name").out())
                .isEqualTo("mcpserver.orloj.dev/github\n");
        assertThat(ctl("get", "mcp", "-f", file.toString()).exitCode()).isEqualTo(2);
    }

    @Test
    void kindStandsBeforeNames() {
        assertThat(ctl("get", "mcp", "github", "--show-kind", "--no-headers").out())
                .startsWith("mcpserver.orloj.dev/github ");
    }
}
