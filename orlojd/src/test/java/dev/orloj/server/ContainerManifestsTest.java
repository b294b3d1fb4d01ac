package dev.orloj.server;

import static dev.orloj.server.testing.ContainerNamespace.TIMEOUT;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.testkit.Docker;
import dev.orloj.runtime.testkit.NeedsDocker;
import dev.orloj.server.testing.ContainerNamespace;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.util.Map;

/**
 * Manifests in the shapes that people bring, under the settings that orlojd has by itself: the
 * network is the isolated one, the policy baseline. Local images stand in for those of registries.
 */
@NeedsDocker
class ContainerManifestsTest {

    private static RunningOrlojd orlojd;

    private ContainerNamespace namespace;

    @BeforeAll
    static void start() {
        Docker.run("tag", "orloj-test/server", "mcp/gmail");
        Docker.run("tag", "orloj-test/server", "playwright-mcp:latest");
        orlojd = RunningOrlojd.start();
    }

    @AfterAll
    static void stop() {
        orlojd.close();
        Docker.run("rmi", "mcp/gmail", "playwright-mcp:latest");
    }

    @BeforeEach
    void createNamespace() {
        namespace = ContainerNamespace.create(orlojd);
    }

    @Test
    void credentialsInFilesReachAServerThatIsStartedByCalls() {
        namespace.createSecret(
                "gmail-creds", Map.of("oauth_keys", "the keys", "credentials", "the credentials"));

        namespace.create(
                "mcpservers",
                """
                apiVersion: orloj.dev/v1
                kind: McpServer
                metadata: {name: gmail}
                spec:
                  transport: stdio
                  image: mcp/gmail
                  idle_timeout: "5m"
                  env:
                    - {name: GMAIL_OAUTH_PATH, secretRef: gmail-creds/oauth_keys, mountPath: /secrets/gcp-oauth.keys.json}
                    - {name: GMAIL_CREDENTIALS_PATH, secretRef: gmail-creds/credentials, mountPath: /secrets/credentials.json}
                """);
        namespace.awaitReady("gmail");

        assertThat(namespace.call("gmail--environment", "{\"name\": \"GMAIL_CREDENTIALS_PATH\"}"))
                .isEqualTo("/secrets/credentials.json");
        assertThat(namespace.call("gmail--read", "{\"path\": \"/secrets/credentials.json\"}"))
                .isEqualTo("done: the credentials");
        assertThat(namespace.call("gmail--read", "{\"path\": \"/secrets/gcp-oauth.keys.json\"}"))
                .isEqualTo("done: the keys");
        assertThat(namespace.awaitPosture("gmail").path("network").asString())
                .isEqualTo("isolated");
    }

    @Test
    void aServerThatNeedsMoreThanTheDefaultsGetsWhatItAsksFor() {
        namespace.create(
                "mcpservers",
                """
                apiVersion: orloj.dev/v1
                kind: McpServer
                metadata: {name: playwright-mcp}
                spec:
                  transport: stdio
                  image: playwright-mcp:latest
                  resources: {memory: 1g, cpus: "1.0", pids_limit: 512}
                """);
        namespace.awaitReady("playwright-mcp");

        JsonNode sandbox = namespace.awaitPosture("playwright-mcp");
        assertThat(sandbox.path("memory").asString()).isEqualTo("1073741824");
        assertThat(sandbox.path("cpus").asString()).isEqualTo("1000m");
        assertThat(sandbox.path("pidsLimit").asInt()).isEqualTo(512);
        assertThat(sandbox.path("relaxations").isMissingNode()).isTrue();
        assertThat(
                        Docker.inspect(
                                namespace.onlyContainer(),
                                "{{.HostConfig.Memory}} {{.HostConfig.NanoCpus}}"
                                        + " {{.HostConfig.PidsLimit}}"))
                .isEqualTo("1073741824 1000000000 512");
    }

    /**
     * Without a registry, which is not to be had everywhere that tests run: the package is in the
     * image, as the recipes say.
     */
    @Test
    void npxInAContainerRunsThePackageThatItsImageHas() {
        namespace.createSecret("mcp-api-key", Map.of("value", "the key"));

        namespace.create(
                "mcpservers",
                """
                apiVersion: orloj.dev/v1
                kind: McpServer
                metadata: {name: everything-server}
                spec:
                  transport: stdio
                  image: orloj-test/npx
                  command: npx
                  args: [-y, "@modelcontextprotocol/server-everything"]
                  env: [{name: API_KEY, secretRef: mcp-api-key}]
                  tool_filter: {include: [echo, add]}
                  reconnect: {max_attempts: 3, backoff: 2s}
                  resources: {memory: 512m}
                """);
        namespace.awaitReady("everything-server");

        assertThat(orlojd.tools(namespace.name())).containsExactly("echo");
        assertThat(namespace.call("everything-server--echo", "{\"message\": \"hi\"}"))
                .contains("hi");
        assertThat(
                        namespace
                                .awaitCondition("everything-server", "Discouraged", "True")
                                .path("reason")
                                .asString())
                .isEqualTo("SecretInEnvironment");
    }

    @Test
    void aRemoteServerThatIsNotThereSaysWhatIsMissingOneAfterTheOther() {
        namespace.create(
                "mcpservers",
                """
                apiVersion: orloj.dev/v1
                kind: McpServer
                metadata: {name: remote-server}
                spec:
                  transport: http
                  endpoint: https://mcp.invalid
                  auth: {secretRef: mcp-auth-token, profile: bearer}
                """);
        assertThat(condition("Accepted").path("reason").asString()).isEqualTo("SecretNotFound");

        namespace.createSecret("mcp-auth-token", Map.of("value", "t0ken"));

        await().atMost(TIMEOUT)
                .untilAsserted(
                        () ->
                                assertThat(condition("Connected").path("reason").asString())
                                        .isEqualTo("ConnectFailed"));
        assertThat(condition("Connected").path("message").asString())
                .contains("mcp.invalid")
                .doesNotContain("t0ken");
    }

    private JsonNode condition(String type) {
        return namespace.awaitCondition("remote-server", type, "False");
    }
}
