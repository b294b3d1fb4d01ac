package dev.orloj.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;
import dev.orloj.api.testing.ManualClock;
import dev.orloj.cli.testing.CommandLineRun;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

class ClientConfigCommandTest {

    @TempDir private Path home;

    private CommandLineRun run(String... args) {
        return ctl(Stream.concat(Stream.of("client-config"), Stream.of(args)).toList());
    }

    private CommandLineRun restore(String... args) {
        return ctl(Stream.concat(Stream.of("client", "restore"), Stream.of(args)).toList());
    }

    private CommandLineRun ctl(List<String> all) {
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
    void programThatAClientStartsHasTheContextAndNotTheGivenToken() throws IOException {
        Path file =
                Files.writeString(
                        home.resolve("config"),
                        """
                        current-context: t
                        contexts: [{name: t, context: {cluster: c, user: u}}]
                        clusters: [{name: c, cluster: {server: "https://127.0.0.1:9"}}]
                        users: [{name: u, user: {token: of-the-context}}]
                        """);

        CommandLineRun run =
                CommandLineRun.of(
                        new ManualClock(),
                        Map.of("KUBECONFIG", file.toString(), "ORLOJ_API_TOKEN", "given"),
                        "",
                        "client-config",
                        "claude");

        assertThat(run.out())
                .contains("\"--kubeconfig\", \"" + file + "\"", "\"--context\", \"t\"")
                .doesNotContain("given");
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

    private Path fileOfZed(String text) throws IOException {
        Path file = home.resolve(".config/zed/settings.json");
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        return file;
    }

    @Test
    @DisplayName("20.1: client restore takes client-config --write back, byte for byte")
    void writtenFileIsRestored() throws IOException {
        String text = "// mine\r\n{\"theme\": \"One\", /* dark */ }\n\n";
        Path file = fileOfZed(text);

        CommandLineRun written = run("zed", "--write");
        run("zed", "--write", "--mcp-server", "github");
        CommandLineRun again = run("zed", "--write");
        CommandLineRun restored = restore();

        assertThat(written.err()).contains("\"orlojctl client restore\" takes this back.");
        assertThat(again.out()).isEqualTo("orloj is in " + file + " already\n");
        assertThat(restored.exitCode()).as(restored.err()).isZero();
        assertThat(restored.out()).isEqualTo((file + " restored\n").repeat(2));
        assertThat(file).hasBinaryContent(text.getBytes(StandardCharsets.UTF_8));
        assertThat(restore().err()).isEqualTo("No file is changed.\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"windsurf", "codex", "goose", "continue"})
    @DisplayName("20.1: client restore deletes a file that client-config --write made")
    void fileThatWasMadeIsDeleted(String client) {
        run(client, "--write");
        Path file = Path.of(run(client).err().strip().substring(2));

        assertThat(file).exists();
        assertThat(restore().out()).isEqualTo(file + " deleted, as it was not there before\n");
        assertThat(file).doesNotExist();
    }

    @Test
    @DisplayName("20.1: client restore keeps what the client wrote after client-config --write")
    void laterChangesStay() throws IOException {
        Path old = fileOfZed("{\"context_servers\": {\"orloj\": {\"url\": \"http://old\"}}}");
        run("zed", "--write");
        Files.writeString(old, Files.readString(old).replaceFirst("\\{", "{\"later\": 1, "));
        run("windsurf", "--write");
        Path made = home.resolve(".codeium/windsurf/mcp_config.json");
        Files.writeString(made, Files.readString(made).replaceFirst("\\{", "{\"later\": 1, "));

        CommandLineRun restored = restore();

        assertThat(restored.exitCode()).as(restored.err()).isZero();
        assertThat(Json.MAPPER.readTree(old.toFile()))
                .isEqualTo(
                        Json.MAPPER.readTree(
                                "{\"later\": 1, \"context_servers\": {\"orloj\": {\"url\":"
                                        + " \"http://old\"}}}"));
        assertThat(Json.MAPPER.readTree(made.toFile()))
                .isEqualTo(Json.MAPPER.readTree("{\"later\": 1, \"mcpServers\": {}}"));
        assertThat(restored.out())
                .contains(made + " is without Orloj; other changes since then stay\n");
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
        assertThat(run("curser").err()).contains(", amazon-q; did you mean \"cursor\"?\n");
        assertThat(run("cursor", "--mcp-server", "a/b").exitCode()).isEqualTo(2);
    }
}
