package dev.orloj.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;
import dev.orloj.api.testing.ManualClock;
import dev.orloj.cli.testing.CommandLineRun;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

class ClientConfigCommandTest {

    @TempDir private Path home;

    private CommandLineRun run(String... args) {
        List<String> all = new ArrayList<>(List.of("client-config"));
        all.addAll(List.of(args));
        return CommandLineRun.of(
                new ManualClock(),
                Map.of(
                        "HOME", home.toString(),
                        "ORLOJ_SERVER", "http://127.0.0.1:9",
                        "ORLOJCTL_LAUNCHER", "/opt/orloj/bin/orlojctl"),
                "",
                all.toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    claude      | {"mcpServers":{"orloj":{"command":"/opt/orloj/bin/orlojctl","args":["mcp","serve","--server","http://127.0.0.1:9","--namespace","default"]}}}
                    claude-code | {"mcpServers":{"orloj":{"type":"http","url":"http://127.0.0.1:9/mcp/default"}}}
                    cursor      | {"mcpServers":{"orloj":{"url":"http://127.0.0.1:9/mcp/default"}}}
                    vscode      | {"servers":{"orloj":{"type":"http","url":"http://127.0.0.1:9/mcp/default"}}}
                    windsurf    | {"mcpServers":{"orloj":{"serverUrl":"http://127.0.0.1:9/mcp/default"}}}
                    zed         | {"context_servers":{"orloj":{"url":"http://127.0.0.1:9/mcp/default"}}}
                    """)
    void everyClientIsConfiguredInItsOwnWay(String client, String expected) {
        CommandLineRun run = run(client);

        assertThat(run.exitCode()).isZero();
        assertThat(Json.MAPPER.readTree(run.out())).isEqualTo(Json.MAPPER.readTree(expected));
    }

    @Test
    void oneServerOfANamespaceHasANameOfItsOwn() {
        CommandLineRun run = run("cursor", "--mcp-server", "github", "-n", "team-a");

        assertThat(Json.MAPPER.readTree(run.out()).at("/mcpServers/orloj-github/url").asString())
                .isEqualTo("http://127.0.0.1:9/mcp/team-a/mcpservers/github");
    }

    @Test
    void severalServersAreAPartOfTheNamespace() {
        String[] servers = {"--mcp-server", "github", "--mcp-server", "jira"};

        assertThat(Json.MAPPER.readTree(run(with("cursor", servers)).out()))
                .isEqualTo(
                        Json.MAPPER.readTree(
                                "{\"mcpServers\": {\"orloj-github-jira\": {\"url\":"
                                    + " \"http://127.0.0.1:9/mcp/default?servers=github,jira\"}}}"));
        assertThat(Json.MAPPER.readTree(run(with("claude", servers)).out()).findValue("args"))
                .extracting(JsonNode::asString)
                .containsExactly(
                        "mcp",
                        "serve",
                        "--server",
                        "http://127.0.0.1:9",
                        "--namespace",
                        "default",
                        "github",
                        "jira");
    }

    private static String[] with(String client, String... options) {
        return Stream.concat(Stream.of(client), Stream.of(options)).toArray(String[]::new);
    }

    @Test
    void fileKeepsWhatElseIsInIt() throws IOException {
        Path file = home.resolve(".cursor/mcp.json");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "{\"mcpServers\": {\"other\": {\"url\": \"x\"}}, \"more\": 1}");

        assertThat(run("cursor", "--write").exitCode()).isZero();
        assertThat(run("cursor", "--write").exitCode()).isZero();

        assertThat(Json.MAPPER.readTree(file.toFile()))
                .isEqualTo(
                        Json.MAPPER.readTree(
                                """
                                {"mcpServers": {"other": {"url": "x"},
                                  "orloj": {"url": "http://127.0.0.1:9/mcp/default"}}, "more": 1}
                                """));
    }

    @Test
    void fileThatDoesNotExistIsMade() {
        assertThat(run("windsurf", "--write").exitCode()).isZero();

        assertThat(home.resolve(".codeium/windsurf/mcp_config.json")).exists();
    }

    @Test
    void commentsInAFileStay() throws IOException {
        Path file = home.resolve(".config/zed/settings.json");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "// mine\n{\n  \"theme\": \"One\" // dark\n}\n");

        assertThat(run("zed", "--write").exitCode()).isZero();
        assertThat(run("zed", "--write").exitCode()).isZero();

        assertThat(file)
                .hasContent(
                        """
                        // mine
                        {
                          "theme": "One", // dark
                          "context_servers": {
                            "orloj": {
                              "url": "http://127.0.0.1:9/mcp/default"
                            }
                          }
                        }
                        """);
    }

    @Test
    void fileThatIsBrokenIsLeftAlone() throws IOException {
        Path file = home.resolve(".cursor/mcp.json");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "{\"mcpServers\": }");

        CommandLineRun run = run("cursor", "--write");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("line 1", "without --write");
        assertThat(file).hasContent("{\"mcpServers\": }");
    }

    @ParameterizedTest
    @ValueSource(strings = {"codex", "goose", "continue"})
    void otherLanguagesAreWrittenOnce(String client) throws IOException {
        CommandLineRun shown = run(client);
        run(client, "--write");
        CommandLineRun again = run(client, "--write");

        Path file = Path.of(shown.err().strip().substring(2));
        assertThat(again.exitCode()).as(again.err()).isZero();
        assertThat(Files.readString(file).strip()).isEqualTo(shown.out().strip());
        assertThat(shown.out()).contains("http://127.0.0.1:9/mcp/default");
    }

    @Test
    void serversThatTheClientRunsItselfArePointedOut() throws IOException {
        Path file = home.resolve(".cursor/mcp.json");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "{\"mcpServers\": {\"a\": {\"command\": \"a\"}}}");

        assertThat(run("cursor", "--write").err()).contains("1 other server", "--move");
    }

    @Test
    void unknownClientsAndNamesAreRefused() {
        assertThat(run("emacs").err()).contains("is none of claude, claude-code, cursor");
        assertThat(run("cursor", "--mcp-server", "a/b").exitCode()).isEqualTo(2);
    }
}
