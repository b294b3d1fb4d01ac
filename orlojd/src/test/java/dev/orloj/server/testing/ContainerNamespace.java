package dev.orloj.server.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.testkit.Docker;

import tools.jackson.databind.JsonNode;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** A namespace of its own for servers of images, and the containers that Docker shows of it. */
public final class ContainerNamespace {

    /** Longer than an image and a network take to be there on a machine that is busy. */
    public static final Duration TIMEOUT = Duration.ofSeconds(60);

    public static final String IMAGE = "orloj-test/server";

    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final RunningOrlojd orlojd;
    private final String name;

    private ContainerNamespace(RunningOrlojd orlojd, String name) {
        this.orlojd = orlojd;
        this.name = name;
    }

    public static ContainerNamespace create(RunningOrlojd orlojd) {
        String name = "containers-" + NUMBERS.incrementAndGet();
        orlojd.createNamespace(name);
        return new ContainerNamespace(orlojd, name);
    }

    public String name() {
        return name;
    }

    /** A server of the test image without a network; {@code more} are further lines of its spec. */
    public void createServer(String server, String... more) {
        createServerOf(IMAGE, server, more);
    }

    public void createServerOf(String image, String server, String... more) {
        create(
                "mcpservers",
                """
                apiVersion: orloj.dev/v1
                kind: McpServer
                metadata: {name: %s}
                spec:
                  transport: stdio
                  image: %s
                  network: {mode: none}
                  %s
                """
                        .formatted(server, image, String.join("\n  ", more)));
    }

    public void createSecret(String secret, Map<String, String> values) {
        String data =
                values.entrySet().stream()
                        .map(value -> value.getKey() + ": " + base64(value.getValue()))
                        .collect(Collectors.joining(", "));
        create(
                "secrets",
                """
                apiVersion: orloj.dev/v1
                kind: Secret
                metadata: {name: %s}
                spec: {data: {%s}}
                """
                        .formatted(secret, data));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    public void create(String plural, String manifest) {
        orlojd.client().create(name, plural, manifest);
    }

    /** Of a resource, or of all of a kind. */
    public String path(String plural, String... more) {
        return RestClient.collection(name, plural)
                + List.of(more).stream().map(part -> "/" + part).collect(Collectors.joining());
    }

    public void awaitReady(String server) {
        orlojd.awaitReady(name, server);
    }

    public JsonNode awaitCondition(String server, String type, String status) {
        return orlojd.awaitCondition(name, server, type, status);
    }

    /** How the containers of a server are closed in, once that is known. */
    public JsonNode awaitPosture(String server) {
        return await().atMost(TIMEOUT)
                .until(() -> orlojd.server(name, server).at("/status/sandbox"), JsonNode::isObject);
    }

    /** The text of the answer. */
    public String call(String tool, String arguments) {
        return orlojd.client()
                .call(name, tool, arguments)
                .expect(200)
                .body()
                .at("/content/0/text")
                .asString();
    }

    public JsonNode sessions(String server) {
        return orlojd.client()
                .get(path("mcpservers", server, "sessions"))
                .expect(200)
                .body()
                .path("items");
    }

    public JsonNode pod(String pod) {
        return orlojd.client()
                .get("/api/v1/namespaces/" + name + "/pods/" + pod)
                .expect(200)
                .body();
    }

    /** Names, those of ended containers included. */
    public List<String> containers() {
        return Docker.run(
                        "ps",
                        "--all",
                        "--format",
                        "{{.Names}}",
                        "--filter",
                        "label=orloj.dev/namespace=" + name)
                .lines()
                .toList();
    }

    /** Names of those that were made for what is in the namespace. */
    public List<String> networks() {
        return Docker.run(
                        "network",
                        "ls",
                        "--format",
                        "{{.Name}}",
                        "--filter",
                        "label=orloj.dev/namespace=" + name)
                .lines()
                .toList();
    }

    public String onlyContainer() {
        List<String> all = containers();
        assertThat(all).hasSize(1);
        return all.getFirst();
    }

    public void awaitNoContainers() {
        await().atMost(TIMEOUT).until(() -> containers().isEmpty());
    }

    public void awaitOtherContainerThan(String first) {
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(containers()).singleElement().isNotEqualTo(first));
    }
}
