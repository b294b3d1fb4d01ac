package dev.orloj.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.server.rest.HttpProbe.Answer;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What holds for the kinds that Kubernetes clients bring along. */
class CoreKindsTest {

    private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";

    private final HttpProbe http = RestServer.shared().probe();
    private String namespace = "";
    private String core = "";
    private String leases = "";

    @BeforeEach
    void freshNamespace() {
        namespace = RestServer.shared().freshNamespace();
        core = "/api/v1/namespaces/%s/".formatted(namespace);
        leases = "/apis/coordination.k8s.io/v1/namespaces/%s/leases".formatted(namespace);
    }

    @Test
    void configMapHoldsTextsAndBytes() {
        Answer created =
                http.post(
                        core + "configmaps",
                        """
                        {"metadata": {"name": "c", "creationTimestamp": null},
                         "data": {"a": "x"}, "binaryData": {"b": "AAE="}}\
                        """);
        Answer table = http.get(core + "configmaps", "Accept", TABLE);

        assertThat(created.code()).isEqualTo(201);
        assertThat(created.at("/binaryData/b")).isEqualTo("AAE=");
        assertThat(table.json().at("/rows/0/cells").toString()).startsWith("[\"c\",2,");
    }

    @Test
    void configMapRefusesWhatKubernetesRefuses() {
        Answer refused =
                http.post(
                        core + "configmaps",
                        """
                        {"metadata": {"name": "c"}, "data": {"a": "x", "no/file": "x"},
                         "binaryData": {"a": "AAE=", "b": "?"}}\
                        """);

        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.json().at("/details/causes").findValuesAsString("field"))
                .containsExactly("data[no/file]", "data[a]", "binaryData[b]");
    }

    @Test
    void immutableConfigMapKeepsItsValues() {
        http.post(
                core + "configmaps",
                "{\"metadata\": {\"name\": \"c\"}, \"data\": {\"a\": \"x\"}, \"immutable\": true}");

        Answer refused = http.mergePatch(core + "configmaps/c", "{\"data\": {\"a\": \"y\"}}");

        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.text()).contains("data: Forbidden: field is immutable");
    }

    @Test
    void leaseIsWonByOneOfTwoCandidates() {
        ObjectNode lease =
                (ObjectNode)
                        http.post(
                                        leases,
                                        """
                                        {"metadata": {"name": "l"}, "spec": {
                                          "holderIdentity": "a", "leaseDurationSeconds": 15,
                                          "acquireTime": null,
                                          "renewTime": "2026-01-01T00:00:00.5Z"}}\
                                        """)
                                .json();
        lease.withObject("/spec").put("holderIdentity", "b");

        Answer first = http.put(leases + "/l", lease.toString());
        lease.withObject("/spec").put("holderIdentity", "c");
        Answer second = http.put(leases + "/l", lease.toString());
        lease.withObject("/metadata").remove("resourceVersion");
        Answer unconditional = http.put(leases + "/l", lease.toString());

        assertThat(lease.at("/spec/renewTime").asString()).isEqualTo("2026-01-01T00:00:00.500000Z");
        assertThat(first.code()).isEqualTo(200);
        assertThat(second.code()).isEqualTo(409);
        assertThat(unconditional.code()).isEqualTo(422);
        assertThat(http.get(leases, "Accept", TABLE).json().at("/rows/0/cells/1").asString())
                .isEqualTo("b");
    }

    @Test
    void updateOfALeaseThatIsNotThereCreatesIt() {
        String lease = "{\"metadata\": {\"name\": \"l\"%s}, \"spec\": {\"holderIdentity\": \"a\"}}";

        Answer versioned = http.put(leases + "/l", lease.formatted(", \"resourceVersion\": \"1\""));
        Answer created = http.put(leases + "/l", lease.formatted(""));
        Answer configMap = http.put(core + "configmaps/c", "{\"metadata\": {\"name\": \"c\"}}");

        assertThat(versioned.code()).isEqualTo(404);
        assertThat(created.code()).isEqualTo(201);
        assertThat(http.get(leases + "/l").at("/spec/holderIdentity")).isEqualTo("a");
        assertThat(configMap.code()).isEqualTo(404);
    }

    @Test
    void leasesHaveRevisionsOfTheirOwn() {
        String before = http.get(core + "configmaps").at("/metadata/resourceVersion");
        String lease = "{\"metadata\": {\"name\": \"l\"}, \"spec\": {}}";

        Answer created = http.post(leases, lease);

        assertThat(created.code()).isEqualTo(201);
        assertThat(http.get(core + "configmaps").at("/metadata/resourceVersion")).isEqualTo(before);
    }

    @Test
    void badLeaseSaysWhatIsBad() {
        Answer refused =
                http.post(
                        leases,
                        """
                        {"metadata": {"name": "l"},
                         "spec": {"leaseDurationSeconds": 0, "renewTime": "soon"}}\
                        """);
        Answer negative =
                http.post(
                        leases,
                        """
                        {"metadata": {"name": "l"},
                         "spec": {"leaseDurationSeconds": 0, "leaseTransitions": -1}}\
                        """);

        assertThat(refused.at("/details/causes/0/field")).isEqualTo("spec.renewTime");
        assertThat(negative.json().at("/details/causes").findValuesAsString("field"))
                .containsExactly("spec.leaseDurationSeconds", "spec.leaseTransitions");
    }

    @Test
    void eventHasTwoShapes() {
        String newer = "/apis/events.k8s.io/v1/namespaces/%s/events".formatted(namespace);
        Answer created =
                http.post(
                        core + "events",
                        """
                        {"metadata": {"generateName": "ev-"},
                         "involvedObject": {"kind": "Tool", "namespace": "%s", "name": "t",
                                            "uid": "u"},
                         "reason": "R", "message": "M", "count": 2, "source": {"component": "x"},
                         "eventTime": null, "lastTimestamp": "2026-01-01T00:00:00Z"}\
                        """
                                .formatted(namespace));
        String name = created.at("/metadata/name");

        Answer read = http.get(newer + "/" + name);
        Answer written =
                http.mergePatch(
                        newer + "/" + name,
                        """
                        {"series": {"count": 3, "lastObservedTime": "2026-01-01T00:00:01.25Z"}}\
                        """);

        assertThat(read.at("/note")).isEqualTo("M");
        assertThat(read.at("/regarding/name")).isEqualTo("t");
        assertThat(read.at("/deprecatedCount")).isEqualTo("2");
        assertThat(read.at("/deprecatedSource/component")).isEqualTo("x");
        assertThat(written.at("/series/lastObservedTime")).isEqualTo("2026-01-01T00:00:01.250000Z");
        assertThat(http.get(core + "events/" + name).at("/message")).isEqualTo("M");
        assertThat(count(core + "events?fieldSelector=involvedObject.uid%3Du")).isEqualTo(1);
        assertThat(count(newer + "?fieldSelector=regarding.uid%3Du,regarding.name%3Dt"))
                .isEqualTo(1);
        assertThat(count(newer + "?fieldSelector=reportingController%3Dother")).isZero();
    }

    private int count(String path) {
        Answer answer = http.get(path);
        assertThat(answer.code()).isEqualTo(200);
        return answer.json().path("items").size();
    }

    @Test
    void tableOfEventsIsThatOfKubernetes() {
        http.post(
                core + "events",
                """
                {"metadata": {"name": "e"}, "reason": "R", "message": "M\\n",
                 "involvedObject": {"kind": "Tool", "name": "t"}}\
                """);

        JsonNode table = http.get(core + "events", "Accept", TABLE).json();

        assertThat(table.path("columnDefinitions").findValuesAsString("name"))
                .startsWith("Last Seen", "Type", "Reason", "Object");
        assertThat(table.at("/rows/0/cells/3").asString()).isEqualTo("tool/t");
        assertThat(table.at("/rows/0/cells/6").asString()).isEqualTo("M");
        assertThat(table.at("/rows/0/object/metadata/name").asString()).isEqualTo("e");
    }

    @Test
    void strategicMergePatchIsForTheKindsThatTypedClientsKnow() {
        String type = "application/strategic-merge-patch+json";
        http.post(
                core + "configmaps", "{\"metadata\": {\"name\": \"c\"}, \"data\": {\"a\": \"x\"}}");
        String tools = "/apis/orloj.dev/v1/namespaces/%s/tools".formatted(namespace);
        http.post(tools, "{\"metadata\": {\"name\": \"t\"}, \"spec\": {}}");

        Answer patched =
                http.send(
                        "PATCH",
                        core + "configmaps/c",
                        "{\"data\": {\"$patch\": \"replace\", \"b\": \"y\"}}",
                        "Content-Type",
                        type);
        Answer refused = http.send("PATCH", tools + "/t", "{}", "Content-Type", type);
        Answer unknown =
                http.send("PATCH", core + "configmaps/c", "{}", "Content-Type", "application/x");

        assertThat(patched.code()).isEqualTo(200);
        assertThat(patched.at("/data")).isEqualTo("{\"b\":\"y\"}");
        assertThat(refused.code()).isEqualTo(415);
        assertThat(refused.at("/message")).doesNotContain("strategic");
        assertThat(unknown.at("/message")).contains(type);
    }

    @Test
    void noiseOfOldTypedClientsIsAccepted() {
        String body =
                """
                {"kind": "Namespace", "apiVersion": "v1", "spec": {}, "status": {},
                 "metadata": {"name": "%s-old", "creationTimestamp": null}}\
                """
                        .formatted(namespace);

        Answer created = http.post("/api/v1/namespaces?fieldValidation=Strict", body);

        assertThat(created.code()).isEqualTo(201);
        assertThat(created.at("/status/phase")).isEqualTo("Active");
    }
}
