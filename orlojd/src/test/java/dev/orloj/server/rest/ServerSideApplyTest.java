package dev.orloj.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;
import dev.orloj.server.rest.HttpProbe.Answer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;

class ServerSideApplyTest {

    private static final String APPLY = "application/apply-patch+yaml";

    private final HttpProbe http = RestServer.shared().probe();
    private final String tools =
            "/apis/orloj.dev/v1/namespaces/%s/tools"
                    .formatted(RestServer.shared().freshNamespace());

    private Answer apply(String path, String yaml) {
        return http.send("PATCH", tools + path, yaml, "Content-Type", APPLY);
    }

    private Answer applyTool(String query, String spec) {
        return apply(
                "/a?" + query,
                "{apiVersion: orloj.dev/v1, kind: Tool, metadata: {name: a}, spec: %s}"
                        .formatted(spec));
    }

    /** Each owner as {@code manager/operation/subresource}. */
    private static List<String> owners(Answer answer) {
        List<String> owners = new ArrayList<>();
        for (JsonNode entry : answer.json().at("/metadata/managedFields")) {
            owners.add(
                    "%s/%s/%s"
                            .formatted(
                                    entry.path("manager").asString(),
                                    entry.path("operation").asString(),
                                    entry.path("subresource").asString("")));
        }
        return owners;
    }

    @Test
    void applyCreatesWhatIsNotThere() {
        Answer created = applyTool("fieldManager=m", "{description: one}");

        assertThat(created.code()).isEqualTo(201);
        assertThat(created.at("/metadata/generation")).isEqualTo("1");
        assertThat(owners(created)).containsExactly("m/Apply/");
        assertThat(created.json().at("/metadata/managedFields/0/fieldsV1"))
                .isEqualTo(Json.MAPPER.readTree("{\"f:spec\": {\"f:description\": {}}}"));
    }

    @Test
    void applyOfTheSameIsNoWrite() {
        Answer created = applyTool("fieldManager=m", "{description: one}");
        Answer again = applyTool("fieldManager=m", "{description: one}");

        assertThat(again.code()).isEqualTo(200);
        assertThat(again.json()).isEqualTo(created.json());
    }

    @Test
    void outcomeIsSaidToClientsThatPreferIt() {
        assertThat(outcome("fieldManager=m&dryRun=All", "{description: one}")).isEqualTo("created");
        assertThat(outcome("fieldManager=m", "{description: one}")).isEqualTo("created");
        assertThat(outcome("fieldManager=m", "{description: one}")).isEqualTo("unchanged");
        assertThat(outcome("fieldManager=n", "{description: one}")).isEqualTo("unchanged");
        assertThat(outcome("fieldManager=n&force=true&dryRun=All", "{description: two}"))
                .isEqualTo("configured");
        assertThat(outcome("fieldManager=m", "{}")).isEqualTo("unchanged");
        assertThat(outcome("fieldManager=n", "{}")).isEqualTo("configured");
        assertThat(applyTool("fieldManager=m", "{risk_level: low}").header("Orloj-Outcome"))
                .isEmpty();
    }

    private String outcome(String query, String spec) {
        return http.send(
                        "PATCH",
                        tools + "/a?" + query,
                        "{apiVersion: orloj.dev/v1, kind: Tool, metadata: {name: a}, spec: %s}"
                                .formatted(spec),
                        "Content-Type",
                        APPLY,
                        "Prefer",
                        "respond-async, outcome")
                .header("Orloj-Outcome");
    }

    @Test
    void dryRunStoresNothing() {
        Answer tried = applyTool("fieldManager=m&dryRun=All", "{description: one}");

        assertThat(tried.code()).isEqualTo(201);
        assertThat(http.get(tools + "/a").code()).isEqualTo(404);
    }

    @Test
    void conflictsNameTheirOwnersAndFields() {
        http.post(
                tools + "?fieldManager=creator",
                "{\"metadata\": {\"name\": \"a\"}, \"spec\": {\"description\": \"one\"}}");

        Answer refused = applyTool("fieldManager=m", "{description: two}");

        assertThat(refused.code()).isEqualTo(409);
        assertThat(refused.at("/reason")).isEqualTo("Conflict");
        assertThat(refused.at("/message"))
                .isEqualTo(
                        "Apply failed with 1 conflict: conflict with \"creator\" using"
                                + " orloj.dev/v1: .spec.description");
        assertThat(refused.json().at("/details/causes"))
                .isEqualTo(
                        Json.MAPPER.readTree(
                                """
                                [{"reason": "FieldManagerConflict", "field": ".spec.description",
                                  "message": "conflict with \\"creator\\" using orloj.dev/v1"}]
                                """));

        Answer forced = applyTool("fieldManager=m&force=true", "{description: two}");
        assertThat(forced.at("/spec/description")).isEqualTo("two");
        assertThat(owners(forced)).containsExactly("m/Apply/", "creator/Update/");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "?x | {apiVersion: orloj.dev/v1, kind: Tool} | 422 | PatchOptions.meta.k8s.io \"\""
                        + " is invalid: fieldManager: Required value: is required for apply patch",
                "?fieldManager=m%0Ax | {apiVersion: orloj.dev/v1, kind: Tool} | 422 | printable",
                "?fieldManager=m | {apiVersion: orloj.dev/v2, kind: Tool} | 400 | Specified patch"
                        + " version: orloj.dev/v2, expected: orloj.dev/v1",
                "?fieldManager=m | {kind: Tool} | 400 | expected: orloj.dev/v1",
                "?fieldManager=m | {apiVersion: orloj.dev/v1, kind: Secret} | 400 | expected: Tool",
                "?fieldManager=m | {apiVersion: orloj.dev/v1, kind: Tool, metadata: {managedFields:"
                        + " []}} | 400 | metadata.managedFields must be nil",
                "?fieldManager=m | {apiVersion: orloj.dev/v1, kind: Tool, metadata: {name: b}} |"
                        + " 400 | does not match the name on the URL",
                "?fieldManager=m | {apiVersion: orloj.dev/v1, kind: Tool, spec: {x: 1}} | 400 |"
                        + " failed to create typed patch object (NS/a; orloj.dev/v1, Kind=Tool):"
                        + " .spec.x: field not declared in schema",
                "?fieldManager=m | {apiVersion: orloj.dev/v1, kind: Tool, spec: {capabilities: [x,"
                        + " x]}} | 400 | .spec.capabilities: duplicate entries for key [=\"x\"]",
                "?fieldManager=m | {apiVersion: orloj.dev/v1, kind: Tool, spec: {type: telnet}} |"
                        + " 422 | Unsupported value",
                "?fieldManager=m | {apiVersion: orloj.dev/v1, kind: Tool, metadata: {uid: gone}} |"
                        + " 409 | uid mismatch",
                "?fieldManager=m | [1] | 400 | the body of the request",
                "/status?fieldManager=m | {apiVersion: orloj.dev/v1, kind: Tool, status: {}} | 404"
                        + " | not found",
            })
    void whatCannotBeAppliedIsRefused(String query, String body, int code, String why) {
        String path = query.startsWith("/") ? "/a" + query : "/a" + query;

        Answer refused = apply(path, body);

        String namespace = tools.replaceAll(".*/namespaces/([^/]+)/.*", "$1");
        assertThat(refused.code()).as(refused.text()).isEqualTo(code);
        assertThat(refused.at("/message")).contains(why.replace("NS", namespace));
    }

    @Test
    void aFieldManagerHasAtMost128Characters() {
        assertThat(applyTool("fieldManager=" + "m".repeat(129), "{}").code()).isEqualTo(422);
        assertThat(applyTool("fieldManager=" + "m".repeat(128), "{}").code()).isEqualTo(201);
    }

    @Test
    void forceGoesWithNothingElse() {
        applyTool("fieldManager=m", "{}");

        assertThat(http.mergePatch(tools + "/a?force=true", "{}").code()).isEqualTo(422);
    }

    @Test
    void applyOfTheStatusIsApartFromTheRest() {
        applyTool("fieldManager=m", "{description: one}");

        Answer applied =
                apply(
                        "/a/status?fieldManager=m",
                        "{apiVersion: orloj.dev/v1, kind: Tool, metadata: {labels: {x: y}},"
                                + " spec: {description: two}, status: {phase: Up}}");

        assertThat(applied.at("/spec/description")).isEqualTo("one");
        assertThat(applied.at("/status/phase")).isEqualTo("Up");
        assertThat(applied.json().at("/metadata/labels").isMissingNode()).isTrue();
        assertThat(owners(applied)).containsExactlyInAnyOrder("m/Apply/", "m/Apply/status");
    }

    @Test
    void writersAreKnownByTheirProgramWhenTheyDoNotSay() {
        String body = "{\"metadata\": {\"name\": \"%s\"}, \"spec\": {}}";

        Answer named =
                http.post(tools, body.formatted("a"), "User-Agent", "k9s/v1 (linux) kubernetes");
        Answer nameless = http.post(tools, body.formatted("b"), "User-Agent", "/1");

        assertThat(owners(named)).containsExactly("k9s/Update/");
        assertThat(owners(nameless)).containsExactly("unknown/Update/");
    }

    @Test
    void whoUpdatesOwnsWhatItChanges() {
        http.post(
                tools + "?fieldManager=a",
                "{\"metadata\": {\"name\": \"a\"}, \"spec\": {\"description\": \"one\"}}");

        Answer same =
                http.mergePatch(
                        tools + "/a?fieldManager=b", "{\"spec\": {\"description\": \"one\"}}");
        Answer changed =
                http.mergePatch(tools + "/a?fieldManager=b", "{\"spec\": {\"title\": \"t\"}}");
        Answer status =
                http.mergePatch(
                        tools + "/a/status?fieldManager=c", "{\"status\": {\"phase\": \"Up\"}}");

        assertThat(owners(same)).containsExactly("a/Update/");
        assertThat(owners(changed)).containsExactly("a/Update/", "b/Update/");
        assertThat(owners(status)).contains("c/Update/status");
    }

    @Test
    void managedFieldsAreTheClientsToChange() {
        Answer created = applyTool("fieldManager=m", "{description: one}");
        ObjectNode renamed = (ObjectNode) created.json();
        ((ObjectNode) renamed.at("/metadata/managedFields/0")).put("manager", "n");

        Answer put = http.put(tools + "/a", renamed.toString());
        Answer nonsense =
                http.mergePatch(tools + "/a", "{\"metadata\": {\"managedFields\": [{\"x\": 1}]}}");
        Answer absent = http.mergePatch(tools + "/a", "{\"metadata\": {\"managedFields\": null}}");
        Answer reset = http.mergePatch(tools + "/a", "{\"metadata\": {\"managedFields\": [{}]}}");

        assertThat(owners(put)).containsExactly("n/Apply/");
        assertThat(owners(nonsense)).containsExactly("n/Apply/");
        assertThat(owners(absent)).containsExactly("n/Apply/");
        assertThat(owners(reset)).isEmpty();
    }

    @Test
    void theFirstApplyFindsAnOwnerOfWhatHadNone() {
        applyTool("fieldManager=m", "{description: one}");
        http.mergePatch(tools + "/a", "{\"metadata\": {\"managedFields\": []}}");

        Answer refused = applyTool("fieldManager=m", "{description: two}");

        assertThat(refused.at("/message"))
                .contains("conflict with \"before-first-apply\" using orloj.dev/v1");
    }

    @Test
    void aVersionInTheConfigIsAPrecondition() {
        applyTool("fieldManager=m", "{description: one}");

        Answer stale =
                apply(
                        "/a?fieldManager=m",
                        "{apiVersion: orloj.dev/v1, kind: Tool,"
                                + " metadata: {resourceVersion: '1'}, spec: {}}");

        assertThat(stale.code()).isEqualTo(409);
    }

    @Test
    void aDefaultHasNoOwnerUntilAManagerSetsIt() {
        Answer created = applyTool("fieldManager=m", "{}");
        Answer set = applyTool("fieldManager=n", "{risk_level: high}");

        assertThat(created.at("/spec/risk_level")).isEqualTo("low");
        assertThat(set.code()).isEqualTo(200);
        assertThat(set.at("/spec/risk_level")).isEqualTo("high");
        assertThat(applyTool("fieldManager=n", "{}").at("/spec/risk_level")).isEqualTo("low");
    }

    @Test
    void redactedValuesOfASecretStayWhatTheyAre() {
        String secrets = tools.replace("/tools", "/secrets");
        String secret =
                "{apiVersion: orloj.dev/v1, kind: Secret, metadata: {name: s},"
                        + " spec: {data: {k: '%s'}}}";
        http.send(
                "PATCH",
                secrets + "/s?fieldManager=m",
                secret.formatted("YQ=="),
                "Content-Type",
                APPLY);

        Answer same =
                http.send(
                        "PATCH",
                        secrets + "/s?fieldManager=n",
                        secret.formatted("***"),
                        "Content-Type",
                        APPLY);
        Answer other =
                http.send(
                        "PATCH",
                        secrets + "/s?fieldManager=n",
                        secret.formatted("Yg=="),
                        "Content-Type",
                        APPLY);

        assertThat(same.code()).isEqualTo(200);
        assertThat(owners(same)).containsExactly("m/Apply/", "n/Apply/");
        assertThat(other.code()).isEqualTo(409);
        assertThat(other.text()).doesNotContain("Yg==", "YQ==");
    }

    @Test
    void otherPatchesGetAListOfWhatIsAccepted() {
        Answer refused =
                http.send("PATCH", tools + "/a", "{}", "Content-Type", "application/x-other");

        assertThat(refused.code()).isEqualTo(415);
        assertThat(refused.at("/message"))
                .endsWith(
                        "accepted media types include: application/json-patch+json,"
                                + " application/merge-patch+json, application/apply-patch+yaml");
    }
}
