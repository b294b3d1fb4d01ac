package dev.orloj.cli.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.core.Namespace;
import dev.orloj.cli.command.CommandTest;
import dev.orloj.cli.testing.CommandLineRun;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

@DisplayName("20.4: the configuration is the kubeconfig, shared with kubectl")
class ConfigCommandTest extends CommandTest {

    @TempDir private Path folder;

    private final Map<String, String> environment = new HashMap<>();

    @BeforeEach
    void createNamespaces() {
        for (String name : List.of("team", "web")) {
            orlojd.resources().store().create(Namespace.KIND, Namespace.of(name));
        }
    }

    private CommandLineRun run(String... args) {
        return CommandLineRun.of(clock, environment, "", args);
    }

    private Path file(String name, String context, String server) throws IOException {
        return Files.writeString(
                folder.resolve(name),
                """
                apiVersion: v1
                kind: Config
                current-context: %1$s
                contexts:
                - name: %1$s
                  context: {cluster: %1$s, user: me, namespace: team}
                clusters:
                - name: %1$s
                  cluster: {server: "%2$s"}
                users:
                - name: me
                  user: {token: of-%1$s}
                """
                        .formatted(context, server));
    }

    private void use(Path... files) {
        StringBuilder paths = new StringBuilder();
        for (Path file : files) {
            paths.append(paths.isEmpty() ? "" : File.pathSeparator).append(file);
        }
        environment.put("KUBECONFIG", paths.toString());
    }

    @Test
    void currentContextNamesServerNamespaceAndToken() throws IOException {
        use(file("a", "here", orlojd.url()));

        assertThat(run("get", "mcp").err()).isEqualTo("No resources found in team namespace.\n");
        assertThat(orlojd.requests()).allMatch(request -> request.contains("/namespaces/team"));
        assertThat(orlojd.authorizations()).containsOnly("Bearer of-here");
    }

    @Test
    void variablesAndOptionsWinOverTheContext() throws IOException {
        use(file("a", "there", "http://127.0.0.1:9"));
        environment.put("ORLOJ_SERVER", orlojd.url());

        assertThat(run("get", "mcp").err()).isEqualTo("No resources found in default namespace.\n");
        assertThat(orlojd.authorizations()).isEmpty();
        assertThat(run("get", "mcp", "--context", "there").err())
                .contains("http://127.0.0.1:9 (context \"there\" of " + folder.resolve("a") + ")");
        environment.remove("ORLOJ_SERVER");
        assertThat(run("get", "mcp", "-s", orlojd.url()).exitCode()).isZero();
        assertThat(orlojd.authorizations()).isEmpty();
    }

    @Test
    @DisplayName("19.1: orlojctl finds the kubeconfig of an orlojd on the same machine")
    void kubeconfigInTheDataDirectoryIsUsedWithoutAnotherContext() throws IOException {
        Files.createDirectories(folder.resolve("data/orloj"));
        file("data/orloj/kubeconfig", "own", orlojd.url());
        environment.put("HOME", folder.toString());
        environment.put("XDG_DATA_HOME", folder.resolve("data").toString());

        assertThat(run("get", "mcp").err()).isEqualTo("No resources found in team namespace.\n");
        assertThat(orlojd.authorizations()).containsOnly("Bearer of-own");

        Files.createDirectories(folder.resolve(".kube"));
        file(".kube/config", "chosen", "http://127.0.0.1:9");
        assertThat(run("get", "mcp").err()).contains("context \"chosen\"");
    }

    @Test
    void filesAreMergedAndTheFirstWins() throws IOException {
        use(file("a", "here", orlojd.url()), file("b", "there", "http://127.0.0.1:9"));

        assertThat(run("config", "get-contexts").out())
                .isEqualTo(
                        """
                        CURRENT   NAME    CLUSTER   AUTHINFO   NAMESPACE
                        *         here    here      me         team
                                  there   there     me         team
                        """);
        assertThat(run("health", "--context", "there").err()).contains("http://127.0.0.1:9");
        assertThat(run("get", "mcp", "--context", "ther").err())
                .isEqualTo("orlojctl: there is no context \"ther\"; did you mean \"there\"?\n");
    }

    @Test
    void contextIsChosenAndChangedInItsFile() throws IOException {
        Path a = file("a", "here", orlojd.url());
        Path b = file("b", "there", orlojd.url());
        use(a, b);

        assertThat(run("config", "use-context", "there").out())
                .isEqualTo("Switched to context \"there\".\n");
        assertThat(run("config", "current-context").out()).isEqualTo("there\n");
        assertThat(run("config", "set-context", "--current", "-n", "web").out())
                .isEqualTo("Context \"there\" modified.\n");
        assertThat(Files.readString(b)).contains("namespace: web");
        assertThat(Files.readString(a)).contains("current-context: there", "namespace: team");
        assertThat(run("get", "mcp").err()).contains("in web namespace");
        assertThat(run("config", "delete-context", "here").exitCode()).isZero();
        assertThat(run("config", "get-contexts", "-o", "name").out()).isEqualTo("there\n");
        assertThat(run("config", "use-context", "tehre").err())
                .contains("there is no context \"tehre\"; did you mean \"there\"?");
    }

    @Test
    void firstConfigurationIsWrittenForItsOwnerOnly() throws IOException {
        environment.put("HOME", folder.toString());

        run("config", "set-cluster", "orloj", "-s", orlojd.url());
        run("config", "set-credentials", "me", "--token", "s3cret");
        run("config", "set-context", "orloj", "--cluster", "orloj", "--user", "me", "-n", "web");
        run("config", "use-context", "orloj");

        Path file = folder.resolve(".kube/config");
        assertThat(Files.getPosixFilePermissions(file)).hasSize(2);
        assertThat(run("get", "mcp").err()).isEqualTo("No resources found in web namespace.\n");
        assertThat(orlojd.authorizations()).containsOnly("Bearer s3cret");
        assertThat(run("config", "view").out())
                .contains("token: REDACTED", "server: " + orlojd.url())
                .doesNotContain("s3cret");
        assertThat(run("config", "view", "--raw", "--minify", "-o", "json").out())
                .contains("\"token\": \"s3cret\"");
    }

    @Test
    void manifestsWithoutANamespaceGoToThatOfTheContext() throws IOException {
        use(file("a", "here", orlojd.url()));
        ctl("create", "namespace", "team");
        Path manifest =
                Files.writeString(
                        folder.resolve("m.yaml"),
                        """
                        apiVersion: orloj.dev/v1
                        kind: McpServer
                        metadata: {name: github}
                        spec: {transport: stdio, command: npx}
                        """);

        assertThat(run("apply", "-f", manifest.toString()).exitCode()).isZero();
        assertThat(ctl("get", "mcp", "-n", "team", "-o", "name").out())
                .isEqualTo("mcpserver.orloj.dev/github\n");
    }

    @Test
    void brokenConfigurationSaysWhereItIs() throws IOException {
        Path file = Files.writeString(folder.resolve("a"), "contexts: [\n");
        use(file);
        assertThat(run("get", "mcp").err())
                .startsWith("orlojctl: kubeconfig \"" + file + "\", line");

        Files.writeString(
                file,
                """
                current-context: a
                contexts: [{name: a, context: {cluster: b}}]
                """);
        assertThat(run("get", "mcp").err())
                .isEqualTo("orlojctl: context \"a\" names a cluster that is not there: \"b\"\n");

        Files.writeString(
                file,
                """
                current-context: a
                contexts: [{name: a, context: {cluster: b, user: c}}]
                clusters: [{name: b, cluster: {server: "https://127.0.0.1:9"}}]
                users: [{name: c, user: {exec: {command: gke}}}]
                """);
        assertThat(run("get", "mcp").err())
                .contains("gets its credentials from a program, which orlojctl does not run");
    }
}
