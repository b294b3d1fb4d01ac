package dev.orloj.cli.mcpserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;

import dev.orloj.cli.command.CommandTest;
import dev.orloj.cli.testing.CommandLineRun;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

@Timeout(60)
@DisplayName("issue 20, item 2: one line adds a server")
class McpVerbsTest extends CommandTest {

    private static final String SERVER_JSON =
            """
            {"name": "io.github.me/search", "version": "1.0.2",
             "packages": [
               {"registryType": "npm", "identifier": "@me/search", "version": "1.0.2",
                "transport": {"type": "stdio"},
                "packageArguments": [
                  {"type": "positional", "valueHint": "folder", "isRequired": true}],
                "environmentVariables": [
                  {"name": "KEY", "isRequired": true, "isSecret": true}]}],
             "remotes": [{"type": "streamable-http", "url": "https://me.example.com/mcp"}]}
            """;

    @Test
    void commandIsAdded() {
        CommandLineRun run =
                ctl("mcp", "add", "files", "--env", "API_KEY=hush", "--", "npx", "-y", "x", "-n");

        assertThat(run.out())
                .isEqualTo(
                        "secret.orloj.dev/files-credentials created\n"
                                + "mcpserver.orloj.dev/files created\n");
        assertThat(ctl("get", "mcp", "files", "-o", "yaml").out())
                .contains("command: npx", "- -y", "- -n", "files-credentials/API_KEY")
                .doesNotContain("hush");
    }

    @Test
    void nameIsTakenOnce() {
        ctl("mcp", "add", "a", "--", "a");

        CommandLineRun run = ctl("mcp", "add", "a", "--", "b");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("mcpserver.orloj.dev/a exists already; remove it with");
    }

    @Test
    void dryRunPrintsManifestsThatApplyReads() {
        CommandLineRun image =
                ctl(
                        "mcp",
                        "add",
                        "box",
                        "--image",
                        "me/box:1",
                        "-e",
                        "MODE=x",
                        "--dry-run",
                        "-o",
                        "yaml",
                        "--",
                        "--stdio");
        CommandLineRun url =
                ctl(
                        "mcp",
                        "add",
                        "far",
                        "--url",
                        "https://far.example.com/mcp",
                        "--header",
                        "X-Api-Key=abc",
                        "--dry-run",
                        "-o",
                        "yaml");

        assertThat(orlojd.requests()).isEmpty();
        assertThat(image.out())
                .contains("image: me/box:1", "args:\n  - --stdio", "- name: MODE\n    value: x");
        assertThat(url.out())
                .contains("kind: Secret", "endpoint: https://far.example.com/mcp")
                .contains("secretRef: far-credentials/X-Api-Key");
        assertThat(ctlReading(url.out(), "apply", "-f", "-").out())
                .contains("mcpserver.orloj.dev/far created");
    }

    @Test
    void serverJsonIsAddedFromAFile(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("server.json"), SERVER_JSON);

        CommandLineRun missing = ctl("mcp", "add", file.toString(), "--dry-run", "-o", "yaml");
        CommandLineRun npm =
                ctl(
                        "mcp",
                        "add",
                        file.toString(),
                        "--set",
                        "folder=/srv",
                        "--env",
                        "KEY=k",
                        "--dry-run",
                        "-o",
                        "yaml");
        CommandLineRun remote =
                ctl(
                        "mcp",
                        "add",
                        file.toString(),
                        "--package",
                        "remote",
                        "--name",
                        "far",
                        "--dry-run",
                        "-o",
                        "yaml");

        assertThat(missing.err()).contains("\"folder\" needs a value", "--set folder=VALUE");
        assertThat(npm.out())
                .contains("name: search\n", "command: npx", "'@me/search@1.0.2'", "- /srv")
                .contains("secretRef: search-credentials/KEY");
        assertThat(remote.out()).contains("name: far\n", "endpoint: https://me.example.com/mcp");
    }

    @Test
    void nameIsLookedUpInTheRegistry() throws IOException {
        HttpServer registry =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        registry.createContext(
                "/v0.1/servers/",
                exchange -> {
                    boolean isKnown =
                            exchange.getRequestURI()
                                    .toString()
                                    .equals("/v0.1/servers/io.github.me%2Fsearch/versions/latest");
                    byte[] answer =
                            ("{\"server\": " + SERVER_JSON + "}").getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(isKnown ? 200 : 404, isKnown ? answer.length : -1);
                    if (isKnown) {
                        exchange.getResponseBody().write(answer);
                    }
                    exchange.close();
                });
        registry.start();
        try {
            String url = "http://127.0.0.1:" + registry.getAddress().getPort() + "/";

            CommandLineRun found =
                    ctl(
                            "mcp",
                            "add",
                            "io.github.me/search",
                            "--registry",
                            url,
                            "--set",
                            "folder=/srv");
            CommandLineRun unknown = ctl("mcp", "add", "io.github.me/none", "--registry", url);

            assertThat(found.out()).isEqualTo("mcpserver.orloj.dev/search created\n");
            assertThat(found.err()).contains("put the value into key \"KEY\" of the Secret");
            assertThat(unknown.exitCode()).isEqualTo(1);
            assertThat(unknown.err()).contains("/io.github.me%2Fnone/versions/latest does not");
        } finally {
            registry.stop(0);
        }
    }

    @Test
    void withoutARegistryTheErrorSaysHowToNameOne() {
        CommandLineRun run = ctl("mcp", "add", "io.github.me/search");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("no registry is configured", "ORLOJ_REGISTRY");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "add a",
                "add a --url http://x -- b",
                "add a --header X=y -- b",
                "add a --env x -- b",
                "add a -o yaml -- b",
                "add a --secrets=maybe -- b",
                "add a --dry-run=maybe -- b",
                "stop a --dry-run=maybe",
            })
    void wrongUsageIsExplained(String line) {
        CommandLineRun run = ctl(("mcp " + line).split(" "));

        assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
        assertThat(run.err()).startsWith("orlojctl: ").contains("\nUsage: orlojctl mcp ");
        assertThat(orlojd.requests()).isEmpty();
    }

    @Test
    void listAndStatusShowServers() {
        orlojd.resources().put(server("github"));

        assertThat(ctl("mcp", "list").out()).isEqualTo(ctl("get", "mcp").out()).contains("github");
        assertThat(ctl("mcp", "list", "github", "-o", "name").out())
                .isEqualTo("mcpserver.orloj.dev/github\n");
        assertThat(ctl("mcp", "status", "github").out())
                .isEqualTo(ctl("describe", "mcp/github").out());
    }

    @Test
    void listIsNotAServer() {
        assertThat(ctl("mcp", "list").exitCode()).isZero();
        assertThat(orlojd.requests()).noneMatch(r -> r.contains("/mcp/default"));
    }

    @Test
    void logsAndRestartAreThoseOfTheServer() {
        orlojd.resources().put(server("github"));
        orlojd.putLog("github", "a line");

        assertThat(ctl("mcp", "logs", "github").out()).isEqualTo("a line\n");
        assertThat(ctl("mcp", "restart", "github").out())
                .isEqualTo("mcpserver.orloj.dev/github restarted\n");
        int before = orlojd.requests().size();
        assertThat(ctl("mcp", "restart", "github", "--dry-run", "-o", "yaml").out())
                .contains("orloj.dev/restartedAt", "kind: McpServer");
        assertThat(orlojd.requests().subList(before, orlojd.requests().size()))
                .allMatch(r -> r.startsWith("GET "));
    }

    @Test
    void serversAreStoppedAndStarted() {
        orlojd.resources().put(server("github"));

        assertThat(ctl("mcp", "stop", "github").out())
                .isEqualTo("mcpserver.orloj.dev/github suspended\n");
        assertThat(ctl("get", "mcp", "github", "-o", "yaml").out()).contains("suspend: true");
        assertThat(ctl("mcp", "start", "github", "--dry-run", "-o", "yaml").out())
                .contains("kind: McpServer");
        assertThat(ctl("mcp", "start", "github").out())
                .isEqualTo("mcpserver.orloj.dev/github resumed\n");
    }

    @Test
    void removeTakesTheSecretThatWasMadeForTheServer() {
        ctl("mcp", "add", "a", "-e", "API_KEY=x", "--", "a");
        ctl("mcp", "add", "b", "-e", "API_KEY=x", "--", "b");
        ctl("mcp", "add", "c", "--", "c");
        ctl("create", "secret", "c-credentials", "--from-literal", "k=v");

        assertThat(ctl("mcp", "remove", "a", "--dry-run=server", "-o", "yaml").out())
                .contains("kind: McpServer", "kind: Secret");
        assertThat(ctl("mcp", "remove", "a", "c").out())
                .isEqualTo(
                        "mcpserver.orloj.dev/a deleted\nsecret.orloj.dev/a-credentials deleted\n"
                                + "mcpserver.orloj.dev/c deleted\n");
        assertThat(ctl("mcp", "remove", "b", "--keep-secrets").out())
                .isEqualTo("mcpserver.orloj.dev/b deleted\n");
        assertThat(ctl("get", "secrets", "-o", "name").out())
                .isEqualTo("secret.orloj.dev/b-credentials\nsecret.orloj.dev/c-credentials\n");
        assertThat(ctl("mcp", "remove", "none").exitCode()).isEqualTo(1);
    }
}
