package dev.orloj.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.v1.Secret;
import dev.orloj.server.rest.HttpProbe.Answer;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.node.ObjectNode;

import java.util.Iterator;
import java.util.stream.Stream;

/** No door shows the value of a Secret. The value is "hunter2", aHVudGVyMg== in base64. */
class SecretRedactionTest {

    private static final String SECRET =
            """
            {"metadata": {"name": "s", "annotations": {
              "kubectl.kubernetes.io/last-applied-configuration":
                "{\\"spec\\":{\\"stringData\\":{\\"a\\":\\"hunter2\\"}}}"}},
             "spec": {"stringData": {"a": "hunter2"}}}\
            """;

    private final HttpProbe http = RestServer.shared().probe();
    private String namespace = "";
    private String secrets = "";

    @BeforeEach
    void oneSecret() {
        namespace = RestServer.shared().freshNamespace();
        secrets = "/apis/orloj.dev/v1/namespaces/%s/secrets".formatted(namespace);
        assertNothingShown(http.post(secrets, SECRET));
    }

    private static void assertNothingShown(Answer answer) {
        assertNothingShown(answer.text());
    }

    private static void assertNothingShown(String text) {
        assertThat(text).doesNotContain("hunter2").doesNotContain("aHVudGVyMg");
    }

    private String stored() {
        ResourceKey key = new ResourceKey(namespace, "s");
        return RestServer.shared()
                .client()
                .get(Secret.KIND, key)
                .spec()
                .data()
                .getOrDefault("a", "");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "application/json;as=Table;v=v1;g=meta.k8s.io",
                "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
            })
    void readsShowNoValue(String accept) {
        for (String query : new String[] {"", "?includeObject=Object"}) {
            assertNothingShown(http.get(secrets + "/s" + query, "Accept", accept));
            assertNothingShown(http.get(secrets + query, "Accept", accept));
        }
    }

    @Test
    void watchShowsNoValue() {
        try (Stream<String> lines = http.open(secrets + "?watch=true").body()) {
            Iterator<String> events = lines.iterator();
            String added = events.next();
            http.delete(secrets + "/s");
            String deleted = events.next();

            assertThat(added).contains("\"a\":\"***\"");
            assertNothingShown(added);
            assertNothingShown(deleted);
        }
    }

    @Test
    void whatWasReadCanBeWrittenBack() {
        ObjectNode read = (ObjectNode) http.get(secrets + "/s").json();
        String version = read.at("/metadata/resourceVersion").asString();

        Answer same = http.put(secrets + "/s", read.toString());
        read.withObject("/metadata/labels").put("x", "y");
        Answer labelled = http.put(secrets + "/s", read.toString());

        assertThat(same.at("/metadata/resourceVersion")).isEqualTo(version);
        assertThat(labelled.code()).isEqualTo(200);
        assertNothingShown(labelled);
        assertThat(stored()).isEqualTo("aHVudGVyMg==");
    }

    @Test
    void patchesShowNothingAndKeepTheValue() {
        assertNothingShown(
                http.mergePatch(secrets + "/s", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}"));
        assertNothingShown(
                http.jsonPatch(
                        secrets + "/s",
                        """
                        [{"op": "copy", "from": "/spec/data/a", "path": "/metadata/labels/leak"}]\
                        """));
        assertNothingShown(
                http.jsonPatch(
                        secrets + "/s",
                        "[{\"op\": \"test\", \"path\": \"/spec/data/a\", \"value\": 1}]"));

        assertThat(stored()).isEqualTo("aHVudGVyMg==");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"spec\": {\"data\": {\"a\": \"hunter2!\"}}}",
                "{\"spec\": {\"data\": {\"a\": {\"x\": \"hunter2\"}}}}",
                "{\"spec\": {\"stringData\": [\"hunter2\"]}}",
                "{\"spec\": {\"data\": \"hunter2\"}}"
            })
    void errorsQuoteNoValue(String patch) {
        Answer refused = http.mergePatch(secrets + "/s", patch);

        assertThat(refused.code()).isEqualTo(422);
        assertNothingShown(refused);
    }

    @Test
    void deletionShowsNoValue() {
        assertNothingShown(
                http.mergePatch(secrets + "/s", "{\"metadata\":{\"finalizers\":[\"t.dev/x\"]}}"));
        assertNothingShown(http.delete(secrets + "/s"));
        assertNothingShown(http.delete(secrets));
    }
}
