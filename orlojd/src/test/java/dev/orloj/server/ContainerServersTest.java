package dev.orloj.server;

import static dev.orloj.server.testing.ContainerNamespace.TIMEOUT;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.testkit.Docker;
import dev.orloj.runtime.testkit.NeedsDocker;
import dev.orloj.runtime.workload.Supervisor;
import dev.orloj.server.testing.ContainerNamespace;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.util.Map;

/** Servers of images, from the manifest to the call. */
@NeedsDocker
class ContainerServersTest {

    private static RunningOrlojd orlojd;

    private ContainerNamespace namespace;

    @BeforeAll
    static void start() {
        orlojd = RunningOrlojd.start();
    }

    @AfterAll
    static void stop() {
        orlojd.close();
    }

    @BeforeEach
    void createNamespace() {
        namespace = ContainerNamespace.create(orlojd);
    }

    @Test
    void toolsOfAnImageAreListedAndCalled() {
        namespace.createServer("s");
        namespace.awaitReady("s");

        assertThat(orlojd.tools(namespace.name())).contains("echo", "identity");
        assertThat(namespace.call("s--echo", "{\"text\": \"hello\"}")).isEqualTo("hello");
        assertThat(orlojd.part(Supervisor.class).alive()).isEmpty();

        assertThat(namespace.containers())
                .singleElement()
                .asString()
                .matches("orloj-" + namespace.name() + "-s-\\d+");
        orlojd.delete(namespace.name(), "s");
        namespace.awaitNoContainers();
    }

    @Test
    void secretsComeAsFilesThatOnlyTheContainerCanRead() {
        namespace.createSecret("creds", Map.of("key", "t0p s3cret"));
        namespace.createServer(
                "s", "env: [{name: KEY_FILE, secretRef: creds/key, mountPath: /secrets/key}]");
        namespace.awaitReady("s");

        assertThat(namespace.call("s--environment", "{\"name\": \"KEY_FILE\"}"))
                .isEqualTo("/secrets/key");
        assertThat(namespace.call("s--read", "{\"path\": \"/secrets/key\"}"))
                .isEqualTo("done: t0p s3cret");
        assertThat(namespace.call("s--write", "{\"path\": \"/secrets/key\"}"))
                .startsWith("refused");
    }

    @Test
    void whatOneShouldNotDoIsWarnedOfAndDoesNotStandInTheWay() {
        namespace.createSecret("creds", Map.of("key", "t0p s3cret"));

        RestClient.Answer created =
                orlojd.client()
                        .post(
                                namespace.path("mcpservers"),
                                Json.MAPPER.readTree(
                                        """
                                        {"apiVersion": "orloj.dev/v1", "kind": "McpServer",
                                         "metadata": {"name": "s"},
                                         "spec": {"transport": "stdio", "image": "orloj-test/server",
                                           "network": {"mode": "none"},
                                           "env": [{"name": "TOKEN", "secretRef": "creds/key"}]}}
                                        """))
                        .expect(201);
        namespace.awaitReady("s");

        assertThat(created.warnings())
                .singleElement()
                .asString()
                .startsWith("299 - \"spec.env: every user of the container engine can read")
                .contains("TOKEN")
                .doesNotContain("t0p");
        assertThat(namespace.awaitCondition("s", "Discouraged", "True").path("reason").asString())
                .isEqualTo("SecretInEnvironment");
        assertThat(Docker.inspect(namespace.containers().getFirst(), "{{.Config.Env}}"))
                .as("what the warning speaks of")
                .contains("t0p s3cret");

        orlojd.client()
                .patch(
                        namespace.path("mcpservers", "s"),
                        "{\"spec\":{\"env\":[{\"name\":\"TOKEN\",\"secretRef\":\"creds/key\","
                                + "\"mountPath\":\"/secrets/key\"}]}}")
                .expect(200);
        await().atMost(TIMEOUT)
                .untilAsserted(
                        () ->
                                assertThat(
                                                orlojd.server(namespace.name(), "s")
                                                        .at("/status/conditions")
                                                        .findValuesAsString("type"))
                                        .doesNotContain("Discouraged"));
    }

    @Test
    void whatAnImageDeclaresIsShownWithWhatTheManifestMakesOfIt() {
        String image = "orloj-test/declared";
        String made = Docker.run("create", "orloj-test/server").strip();
        Docker.run(
                "commit",
                "--change",
                "LABEL dev.orloj.mcp=\"{env: {LOG_LEVEL: info}, command: [node,"
                        + " /srv/server.mjs]}\"",
                made,
                image);
        Docker.run("rm", made);
        String merged = namespace.path("mcpservers", "s", "merged");

        JsonNode silent = orlojd.client().post(merged, declared(image, "")).expect(200).body();
        assertThat(silent.at("/merged/env/LOG_LEVEL").asString()).isEqualTo("info");
        assertThat(silent.at("/from/env").asString()).isEqualTo("declaration of the image");
        assertThat(silent.at("/from/command").asString()).isEqualTo("entrypoint of the image");
        assertThat(silent.at("/notes/0").asString()).contains("trust_image_config: true");

        JsonNode trusting =
                orlojd.client()
                        .post(
                                merged,
                                declared(
                                        image,
                                        ",\"trust_image_config\":true,\"env\":[{\"name\":\"A\","
                                                + "\"secretRef\":\"s\"}]"))
                        .expect(200)
                        .body();
        assertThat(trusting.at("/merged/command/0").asString()).isEqualTo("node");
        assertThat(trusting.at("/from/command").asString()).isEqualTo("declaration of the image");
        assertThat(trusting.at("/merged/env/0/secretRef").asString()).isEqualTo("s");
        assertThat(trusting.at("/from/env").asString()).isEqualTo("manifest");
        assertThat(trusting.at("/notes/0").asString()).startsWith("env of the image is replaced");

        assertThat(
                        orlojd.client()
                                .post(merged, declared("orloj-test/none", ""))
                                .expect(200)
                                .body()
                                .at("/notes/0")
                                .asString())
                .contains("not on this host yet");
        assertThat(orlojd.client().get(merged).code()).isEqualTo(404);
        Docker.run("rmi", image);
    }

    private static String declared(String image, String more) {
        return """
        {"apiVersion": "orloj.dev/v1", "kind": "McpServer", "metadata": {"name": "s"},
         "spec": {"transport": "stdio", "image": "%s"%s}}
        """
                .formatted(image, more);
    }

    @Test
    void anIdleContainerIsReapedAndComesBackWithTheNextCall() {
        namespace.createServer("s", "idle_timeout: 1s");
        await().atMost(TIMEOUT).until(() -> !orlojd.tools(namespace.name()).isEmpty());
        String first = hostname();
        assertThat(first).isNotEmpty();

        namespace.awaitNoContainers();

        assertThat(hostname()).isNotEmpty().isNotEqualTo(first);
    }

    /** The engine gives one to each container; it may be gone before the engine is asked. */
    private String hostname() {
        return namespace.call("s--environment", "{\"name\": \"HOSTNAME\"}");
    }

    @Test
    void theStatusReportsHowTheContainerIsClosedIn() {
        namespace.createServer("s", "resources: {memory: 256m}");
        namespace.awaitReady("s");

        JsonNode sandbox = namespace.awaitPosture("s");

        assertThat(sandbox.path("user").asString()).isEqualTo("65532:65532");
        assertThat(sandbox.path("network").asString()).isEqualTo("none");
        assertThat(sandbox.path("memory").asString()).isEqualTo("268435456");
        assertThat(sandbox.path("imageId").asString())
                .isEqualTo(Docker.inspect("orloj-test/server", "{{.Id}}"));
        assertThat(sandbox.path("relaxations").isMissingNode()).isTrue();
    }

    @Test
    void aRegistryThatRefusesIsNamedInTheConditionAndTheEvents() {
        namespace.createServer("s", "image_pull_policy: Always");

        JsonNode pulled = namespace.awaitCondition("s", "ImagePulled", "False");
        JsonNode failed =
                await().atMost(TIMEOUT)
                        .until(
                                () -> namespace.awaitCondition("s", "ImagePulled", "False"),
                                c -> c.path("reason").asString().equals("PullFailed"));

        assertThat(pulled.path("message").asString()).contains("orloj-test/server");
        assertThat(failed.path("message").asString()).contains("registry \"docker.io\"");
    }
}
