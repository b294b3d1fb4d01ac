package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.testkit.Docker;
import dev.orloj.runtime.testkit.NeedsDocker;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;

/**
 * Manifests in the shapes that people bring, under the settings that orlojd has by itself: the
 * network is the isolated one, the policy baseline. Local images stand in for those of registries.
 */
@NeedsDocker
class ContainerManifestsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static RunningOrlojd orlojd;

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

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String call(String tool, String arguments) {
        return orlojd.client()
                .call("default", tool, arguments)
                .expect(200)
                .body()
                .at("/content/0/text")
                .asString();
    }

    @Test
    void credentialsInFilesReachAServerThatIsStartedByCalls() {
        orlojd.client()
                .create(
                        "default",
                        "secrets",
                        """
                        apiVersion: orloj.dev/v1
                        kind: Secret
                        metadata: {name: gmail-creds}
                        spec: {data: {oauth_keys: %s, credentials: %s}}
                        """
                                .formatted(encoded("the keys"), encoded("the credentials")));

        orlojd.client()
                .create(
                        "default",
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
        orlojd.awaitReady("default", "gmail");

        assertThat(call("gmail--environment", "{\"name\": \"GMAIL_CREDENTIALS_PATH\"}"))
                .isEqualTo("/secrets/credentials.json");
        assertThat(call("gmail--read", "{\"path\": \"/secrets/credentials.json\"}"))
                .isEqualTo("done: the credentials");
        assertThat(call("gmail--read", "{\"path\": \"/secrets/gcp-oauth.keys.json\"}"))
                .isEqualTo("done: the keys");
        assertThat(sandbox("gmail").path("network").asString()).isEqualTo("isolated");
    }

    @Test
    void aServerThatNeedsMoreThanTheDefaultsGetsWhatItAsksFor() {
        orlojd.client()
                .create(
                        "default",
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
        orlojd.awaitReady("default", "playwright-mcp");

        JsonNode sandbox = sandbox("playwright-mcp");
        assertThat(sandbox.path("memory").asString()).isEqualTo("1073741824");
        assertThat(sandbox.path("cpus").asString()).isEqualTo("1000m");
        assertThat(sandbox.path("pidsLimit").asInt()).isEqualTo(512);
        assertThat(sandbox.path("relaxations").isMissingNode()).isTrue();
        assertThat(
                        Docker.inspect(
                                Docker.run(
                                                "ps",
                                                "-q",
                                                "--filter",
                                                "label=orloj.dev/server=playwright-mcp")
                                        .strip(),
                                "{{.HostConfig.Memory}} {{.HostConfig.NanoCpus}}"
                                        + " {{.HostConfig.PidsLimit}}"))
                .isEqualTo("1073741824 1000000000 512");
    }

    @Test
    void aRemoteServerThatIsNotThereSaysWhatIsMissingOneAfterTheOther() {
        orlojd.client()
                .create(
                        "default",
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

        orlojd.client()
                .post(
                        RestClient.collection("default", "secrets"),
                        Map.of(
                                "apiVersion",
                                "orloj.dev/v1",
                                "kind",
                                "Secret",
                                "metadata",
                                Map.of("name", "mcp-auth-token"),
                                "spec",
                                Map.of("data", Map.of("value", encoded("t0ken")))))
                .expect(201);

        await().atMost(PATIENCE)
                .untilAsserted(
                        () ->
                                assertThat(condition("Connected").path("reason").asString())
                                        .isEqualTo("ConnectFailed"));
        assertThat(condition("Connected").path("message").asString())
                .contains("mcp.invalid")
                .doesNotContain("t0ken");
    }

    private static JsonNode condition(String type) {
        return orlojd.awaitCondition("default", "remote-server", type, "False");
    }

    private static JsonNode sandbox(String server) {
        return await().atMost(PATIENCE)
                .until(
                        () -> orlojd.server("default", server).at("/status/sandbox"),
                        JsonNode::isObject);
    }
}
