package dev.orloj.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;
import dev.orloj.server.rest.HttpProbe.Answer;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** {@code orlojctl apply} before orlojd: who owns what afterwards, and what is left of others. */
class OrlojctlApplyTest {

    private static final String MANIFEST =
            """
            apiVersion: orloj.dev/v1
            kind: McpServer
            metadata:
              name: a
              labels: {team: web, tier: gold}
            spec:
              transport: http
              endpoint: https://one.example.com
              timeout: 10s
            """;

    private static final String SMALLER =
            MANIFEST.replace(", tier: gold", "").replace("  timeout: 10s\n", "");

    private final HttpProbe http = RestServer.shared().probe();
    private final String namespace = RestServer.shared().freshNamespace();
    private final String servers = "/apis/orloj.dev/v1/namespaces/" + namespace + "/mcpservers";
    private final String path = servers + "/a";

    private OrlojctlRun apply(String manifest, String... options) {
        List<String> arguments = new ArrayList<>(List.of("apply", "-f", "-", "-n", namespace));
        arguments.addAll(List.of(options));
        return OrlojctlRun.of(
                RestServer.shared().port(), manifest, arguments.toArray(String[]::new));
    }

    private void applyAs(String word, String manifest, String... options) {
        assertThat(apply(manifest, options))
                .isEqualTo(new OrlojctlRun(0, "mcpserver.orloj.dev/a " + word + "\n", ""));
    }

    /** What orlojctl did before it applied on the server: it merged, and replaced. */
    private void olderOrlojctlCreates() {
        Answer created =
                http.post(
                        servers + "?fieldManager=orlojctl&fieldValidation=Strict",
                        """
                        {"apiVersion": "orloj.dev/v1", "kind": "McpServer",
                         "metadata": {"name": "a", "labels": {"team": "web", "tier": "gold"}},
                         "spec": {"transport": "http", "endpoint": "https://one.example.com",
                                  "timeout": "10s"}}
                        """);
        assertThat(created.code()).isEqualTo(201);
    }

    private Answer patchAs(String manager, String patch) {
        Answer patched =
                http.send(
                        "PATCH",
                        path + "?fieldManager=" + manager,
                        patch,
                        "Content-Type",
                        "application/merge-patch+json");
        assertThat(patched.code()).isEqualTo(200);
        return patched;
    }

    private JsonNode stored() {
        return http.get(path).json();
    }

    private List<String> owners() {
        List<String> owners = new ArrayList<>();
        for (JsonNode entry : stored().at("/metadata/managedFields")) {
            if (entry.path("subresource").isMissingNode()) {
                owners.add(
                        entry.path("manager").asString()
                                + "/"
                                + entry.path("operation").asString());
            }
        }
        return owners;
    }

    private static JsonNode json(String text) {
        return Json.MAPPER.readTree(text);
    }

    @Test
    void wordsSayWhatChanged() {
        applyAs("created", MANIFEST);
        applyAs("unchanged", MANIFEST);
        String version = stored().at("/metadata/resourceVersion").asString();
        applyAs("unchanged", MANIFEST);

        assertThat(stored().at("/metadata/resourceVersion").asString()).isEqualTo(version);
        applyAs("configured", MANIFEST.replace("one", "two"));
        assertThat(stored().at("/metadata/generation").asInt()).isEqualTo(2);
        assertThat(owners()).containsExactly("orlojctl/Apply");
    }

    @Test
    void whatLeftTheManifestGoesAndFieldsOfAnotherManagerStay() {
        applyAs("created", MANIFEST);
        patchAs(
                "ops",
                """
                {"metadata": {"labels": {"on-call": "ann"}}, "spec": {"idle_timeout": "5m"}}
                """);

        applyAs("configured", SMALLER);

        assertThat(stored().at("/metadata/labels"))
                .isEqualTo(json("{\"team\": \"web\", \"on-call\": \"ann\"}"));
        assertThat(stored().at("/spec/idle_timeout").asString()).isEqualTo("5m");
        assertThat(stored().at("/spec/timeout").asString("")).isNotEqualTo("10s");
    }

    @Test
    @DisplayName("what an older orlojctl wrote becomes applied, without a conflict")
    void resourceOfAnOlderOrlojctlIsTakenOver() {
        olderOrlojctlCreates();
        patchAs("ops", "{\"metadata\": {\"labels\": {\"on-call\": \"ann\"}}}");

        applyAs("configured", SMALLER.replace("one", "two"));

        assertThat(stored().at("/metadata/labels"))
                .isEqualTo(json("{\"team\": \"web\", \"on-call\": \"ann\"}"));
        assertThat(stored().at("/spec/endpoint").asString()).isEqualTo("https://two.example.com");
        assertThat(stored().at("/spec/timeout").asString("")).isNotEqualTo("10s");
        assertThat(owners()).containsExactly("orlojctl/Apply", "ops/Update");
        applyAs("unchanged", SMALLER.replace("one", "two"));
    }

    @Test
    void unchangedManifestOfAnOlderOrlojctlIsUnchangedAndOwned() {
        olderOrlojctlCreates();

        applyAs("unchanged", MANIFEST);

        assertThat(owners()).containsExactly("orlojctl/Apply");
        applyAs("configured", SMALLER);
        assertThat(stored().at("/metadata/labels")).isEqualTo(json("{\"team\": \"web\"}"));
    }

    @Test
    @DisplayName("a restart is no field that a manifest takes away")
    void restartOutlivesTheNextApplies() {
        olderOrlojctlCreates();
        String first = restart();
        applyAs("configured", SMALLER);
        assertThat(restartedAt()).isEqualTo(first);

        String second = restart();
        applyAs("unchanged", SMALLER);

        assertThat(restartedAt()).isEqualTo(second);
        assertThat(owners()).contains("orlojctl/Apply");
    }

    private String restart() {
        assertThat(http.post(path + "/restart?fieldManager=orlojctl", "").code()).isEqualTo(200);
        return restartedAt();
    }

    private String restartedAt() {
        return stored().at("/metadata/annotations").path("orloj.dev/restartedAt").asString();
    }

    @Test
    void conflictWithKubectlNamesItAndIsTakenOverByForce() {
        applyAs("created", MANIFEST);
        patchAs("kubectl-edit", "{\"spec\": {\"endpoint\": \"https://three.example.com\"}}");

        OrlojctlRun refused = apply(MANIFEST);

        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.out()).isEmpty();
        assertThat(refused.err())
                .isEqualTo(
                        """
                        orlojctl: stdin, document 1, line 8: spec.endpoint: conflict with "kubectl-edit" using orloj.dev/v1
                        orlojctl: a field in conflict keeps its value: leave it out of the manifest, give it the value that it has, or take it over with --force-conflicts
                        """);
        assertThat(stored().at("/spec/endpoint").asString()).contains("three");
        assertThat(apply(MANIFEST, "--dry-run=server").err()).isEqualTo(refused.err());

        applyAs("configured", MANIFEST, "--force-conflicts");
        assertThat(stored().at("/spec/endpoint").asString()).contains("one");
        assertThat(owners()).containsExactly("orlojctl/Apply");
    }

    @Test
    void conflictBesideOlderFieldsNamesTheOtherManagerOnly() {
        olderOrlojctlCreates();
        patchAs("kubectl-edit", "{\"spec\": {\"endpoint\": \"https://three.example.com\"}}");
        String changed = MANIFEST.replace("one", "two").replace("10s", "20s");

        assertThat(apply(changed, "--dry-run=server").err())
                .contains("kubectl-edit")
                .doesNotContain("conflict with \"orlojctl\"");
        assertThat(apply(changed).err())
                .contains("spec.endpoint: conflict with \"kubectl-edit\"")
                .doesNotContain("conflict with \"orlojctl\"");
    }

    @Test
    void dryRunOverAnOlderOrlojctlChangesNothing() {
        olderOrlojctlCreates();
        JsonNode before = stored();

        OrlojctlRun run = apply(MANIFEST.replace("10s", "20s"), "--dry-run=server");

        assertThat(run.out()).isEqualTo("mcpserver.orloj.dev/a configured (server dry run)\n");
        assertThat(run.err()).contains("Warning: McpServer \"a\" was written by an older orlojctl");
        assertThat(stored()).isEqualTo(before);
    }

    @Test
    void namedFieldManagerOwnsWhatItAppliesAndTakesNothingFromOlderOnes() {
        olderOrlojctlCreates();
        String part =
                "{apiVersion: orloj.dev/v1, kind: McpServer, metadata: {name: a, labels: {cost:"
                        + " x}}}";

        applyAs("configured", part, "--field-manager", "billing");

        assertThat(owners()).containsExactly("billing/Apply", "orlojctl/Update");
        assertThat(stored().at("/metadata/labels/tier").asString()).isEqualTo("gold");
    }

    @Test
    void ownersAreShownOnlyWhenAskedFor() {
        assertThat(apply(MANIFEST, "-o", "yaml").out()).doesNotContain("managedFields");
        int port = RestServer.shared().port();
        String[] get = {"get", "mcp", "a", "-n", namespace, "-o", "yaml", "--show-managed-fields"};

        assertThat(OrlojctlRun.of(port, "", get).out()).contains("manager: orlojctl\n");
        assertThat(OrlojctlRun.of(port, "", Arrays.copyOf(get, 7)).out())
                .doesNotContain("managedFields");
    }

    @Test
    void unknownFieldIsRefusedWithItsLineUnlessIgnored() {
        String typo = MANIFEST + "  comand: x\n";

        assertThat(apply(typo).err())
                .isEqualTo(
                        "orlojctl: stdin, document 1, line 10: unknown field \"spec.comand\"; did"
                                + " you mean \"command\"?\n");
        OrlojctlRun warned = apply(typo, "--validate=warn");

        assertThat(warned.out()).isEqualTo("mcpserver.orloj.dev/a created\n");
        assertThat(warned.err())
                .isEqualTo(
                        "Warning: stdin, document 1, line 10: unknown field \"spec.comand\"; did"
                                + " you mean \"command\"?\n");
    }

    /** H-33: each writer succeeds, whatever the others do meanwhile. */
    @Test
    void writersAtTheSameTimeDoNotGetInEachOthersWay() throws Exception {
        olderOrlojctlCreates();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<OrlojctlRun>> runs = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                String part =
                        ("{apiVersion: orloj.dev/v1, kind: McpServer, metadata: {name: a, labels:"
                                        + " {part-%d: x}}}")
                                .formatted(i);
                String manager = "manager-" + i;
                runs.add(threads.submit(() -> apply(part, "--field-manager", manager)));
                runs.add(threads.submit(() -> apply(SMALLER)));
            }
            for (Future<OrlojctlRun> run : runs) {
                assertThat(run.get().err()).isEmpty();
                assertThat(run.get().exitCode()).isZero();
            }
        }

        assertThat(stored().at("/metadata/labels"))
                .isEqualTo(
                        json(
                                """
                                {"team": "web", "part-0": "x", "part-1": "x", "part-2": "x",
                                 "part-3": "x"}
                                """));
        assertThat(owners()).contains("orlojctl/Apply").doesNotContain("orlojctl/Update");
    }

    @Test
    void maskedValueOfASecretStays() {
        String secret =
                "{apiVersion: orloj.dev/v1, kind: Secret, metadata: {name: s}, spec: {data: %s}}";
        http.post(
                "/apis/orloj.dev/v1/namespaces/" + namespace + "/secrets?fieldManager=orlojctl",
                "{\"metadata\": {\"name\": \"s\"}, \"spec\": {\"data\": {\"k\": \"QQ==\"}}}");

        OrlojctlRun run = apply(secret.formatted("{k: '***', more: Qg==}"));

        assertThat(run).isEqualTo(new OrlojctlRun(0, "secret.orloj.dev/s configured\n", ""));
        assertThat(http.get("/api/v1/namespaces/" + namespace + "/secrets/s").json().path("data"))
                .isEqualTo(json("{\"k\": \"QQ==\", \"more\": \"Qg==\"}"));
        assertThat(apply(secret.formatted("{more: Qg==}")).out())
                .isEqualTo("secret.orloj.dev/s configured\n");
        assertThat(http.get("/api/v1/namespaces/" + namespace + "/secrets/s").json().path("data"))
                .isEqualTo(json("{\"more\": \"Qg==\"}"));
    }
}
