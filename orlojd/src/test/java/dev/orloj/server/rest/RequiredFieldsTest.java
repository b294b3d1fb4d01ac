package dev.orloj.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ObjectMeta;
import dev.orloj.api.codec.Json;
import dev.orloj.api.core.Pod;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * H-14: typed clients (Java, Python, Rust) refuse an object without a field that Kubernetes'
 * OpenAPI requires, and some look into fields without asking whether they are there.
 */
class RequiredFieldsTest {

    private final RestServer server = RestServer.shared();
    private final HttpProbe http = server.probe();
    private final String namespace = server.freshNamespace();

    private static void requireFields(JsonNode object, String... names) {
        assertThat(object.propertyNames()).contains(names);
        for (String name : names) {
            assertThat(object.path(name).isNull()).as(name).isFalse();
        }
    }

    @Test
    void pods() {
        Pod.Container container = new Pod.Container(Pod.CONTAINER, "npx");
        Pod.ContainerStatus status =
                Json.MAPPER.convertValue(
                        Map.of("name", Pod.CONTAINER, "image", "npx"), Pod.ContainerStatus.class);
        Pod.Readiness ready = new Pod.Readiness("Ready", "True", Instant.EPOCH);
        server.client()
                .create(
                        Pod.KIND,
                        Pod.of(
                                ObjectMeta.of(namespace, "p"),
                                new Pod.Spec("host", List.of(container)),
                                new Pod.Status(
                                        Pod.RUNNING,
                                        "",
                                        Instant.EPOCH,
                                        List.of(ready),
                                        List.of(status))));

        JsonNode pod = http.get("/api/v1/namespaces/%s/pods/p".formatted(namespace)).json();

        requireFields(pod.path("spec"), "containers", "securityContext");
        requireFields(pod.at("/spec/containers/0"), "name");
        requireFields(
                pod.at("/status/containerStatuses/0"),
                "image",
                "imageID",
                "name",
                "ready",
                "restartCount");
        requireFields(pod.at("/status/conditions/0"), "type", "status");
    }

    @Test
    void eventsHaveATime() {
        String core = "/api/v1/namespaces/%s/events".formatted(namespace);
        String events = "/apis/events.k8s.io/v1/namespaces/%s/events".formatted(namespace);
        String event =
                "{\"metadata\": {\"name\": \"%s\"}, \"involvedObject\": {\"kind\": \"Tool\"}%s}";
        http.post(core, event.formatted("first", ", \"firstTimestamp\": \"2026-01-02T03:04:05Z\""));
        http.post(core, event.formatted("bare", ""));

        JsonNode first = http.get(events + "/first").json();
        JsonNode bare = http.get(events + "/bare").json();

        assertThat(first.path("eventTime").asString()).isEqualTo("2026-01-02T03:04:05.000000Z");
        assertThat(bare.path("eventTime").asString())
                .isEqualTo(
                        bare.at("/metadata/creationTimestamp").asString().replace("Z", ".000000Z"));
        requireFields(bare, "eventTime", "metadata");
        assertThat(http.get(core + "/first").json().has("eventTime")).isFalse();
    }

    @Test
    void aReadAndWrittenEventIsNoWrite() {
        String core = "/api/v1/namespaces/%s/events".formatted(namespace);
        String events = "/apis/events.k8s.io/v1/namespaces/%s/events".formatted(namespace);
        http.post(
                core,
                "{\"metadata\": {\"name\": \"e\"}, \"involvedObject\": {\"kind\": \"Tool\"}}");
        HttpProbe.Answer read = http.get(events + "/e");

        HttpProbe.Answer written = http.put(events + "/e", read.text());

        assertThat(written.code()).isEqualTo(200);
        assertThat(written.at("/metadata/resourceVersion"))
                .isEqualTo(read.at("/metadata/resourceVersion"));
    }

    @Test
    void discovery() {
        requireFields(http.get("/api").json(), "versions", "serverAddressByClientCIDRs");
        requireFields(http.get("/apis").json(), "groups");
        for (String path : List.of("/api/v1", "/apis/orloj.dev/v1", "/apis/events.k8s.io/v1")) {
            JsonNode list = http.get(path).json();
            requireFields(list, "groupVersion", "resources");
            list.path("resources")
                    .forEach(
                            resource ->
                                    requireFields(
                                            resource,
                                            "kind",
                                            "name",
                                            "namespaced",
                                            "singularName",
                                            "verbs"));
        }
        requireFields(
                http.get("/version").json(),
                "buildDate",
                "compiler",
                "gitCommit",
                "gitTreeState",
                "gitVersion",
                "goVersion",
                "major",
                "minor",
                "platform");
    }

    @Test
    void definitions() {
        JsonNode list = http.get("/apis/apiextensions.k8s.io/v1/customresourcedefinitions").json();
        assertThat(list.path("items")).isNotEmpty();
        for (JsonNode definition : list.path("items")) {
            requireFields(definition.path("spec"), "group", "names", "scope", "versions");
            requireFields(definition.at("/spec/names"), "kind", "plural");
            requireFields(definition.at("/spec/versions/0"), "name", "served", "storage");
            definition
                    .at("/spec/versions/0/additionalPrinterColumns")
                    .forEach(column -> requireFields(column, "jsonPath", "name", "type"));
            definition
                    .at("/status/conditions")
                    .forEach(condition -> requireFields(condition, "type", "status"));
        }
    }
}
