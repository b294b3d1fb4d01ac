package dev.orloj.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;
import dev.orloj.server.rest.HttpProbe.Answer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** {@code orlojctl apply --prune} before orlojd: what goes, and what of others never does. */
class OrlojctlPruneTest {

    private final HttpProbe http = RestServer.shared().probe();
    private final String namespace = RestServer.shared().freshNamespace();
    private final String core = "/api/v1/namespaces/" + namespace;

    private OrlojctlRun apply(String manifests, String... options) {
        return applyIn(namespace, manifests, options);
    }

    private static OrlojctlRun applyIn(String namespace, String manifests, String... options) {
        List<String> arguments = new ArrayList<>(List.of("apply", "-f", "-"));
        if (!namespace.isEmpty()) {
            arguments.addAll(List.of("-n", namespace));
        }
        arguments.addAll(List.of(options));
        return OrlojctlRun.of(
                RestServer.shared().port(), manifests, arguments.toArray(String[]::new));
    }

    private static String maps(String... names) {
        return Arrays.stream(names)
                .map(OrlojctlPruneTest::map)
                .collect(Collectors.joining("---\n"));
    }

    private static String map(String name) {
        return "{apiVersion: v1, kind: ConfigMap, metadata: {name: %s, labels: {app: web}}, data: {k: v}}\n"
                .formatted(name);
    }

    private static String lines(String word, String... names) {
        return Arrays.stream(names)
                .map(name -> "configmap/" + name + " " + word + "\n")
                .collect(Collectors.joining());
    }

    private boolean isThere(String name) {
        return http.get(core + "/configmaps/" + name).code() == 200;
    }

    private JsonNode parent(String collection, String name) {
        return http.get(core + "/" + collection + "/" + name).json().path("metadata");
    }

    @Test
    void whatLeftTheManifestsIsPrunedAndNothingOfOthers() {
        apply(maps("kept", "gone"));
        apply(map("unlabelled").replace("app: web", "app: db"));
        apply(map("deploys"), "--field-manager", "deploy-bot");
        kubectlCreates("created");
        http.send(
                "PATCH",
                core + "/configmaps/applied?fieldManager=kubectl",
                map("applied"),
                "Content-Type",
                "application/apply-patch+yaml");
        String elsewhere = RestServer.shared().freshNamespace();
        applyIn(elsewhere, map("gone"));

        OrlojctlRun dry = apply(map("kept"), "--prune", "-l", "app=web", "--dry-run=server");
        assertThat(isThere("gone")).isTrue();
        OrlojctlRun run = apply(map("kept"), "--prune", "-l", "app=web");

        assertThat(dry)
                .isEqualTo(
                        new OrlojctlRun(
                                0,
                                lines("unchanged (server dry run)", "kept")
                                        + lines("pruned (server dry run)", "gone"),
                                ""));
        assertThat(run)
                .isEqualTo(
                        new OrlojctlRun(
                                0, lines("unchanged", "kept") + lines("pruned", "gone"), ""));
        assertThat(isThere("gone")).isFalse();
        assertThat(List.of("kept", "unlabelled", "deploys", "created", "applied"))
                .allMatch(this::isThere);
        assertThat(http.get("/api/v1/namespaces/" + elsewhere + "/configmaps/gone").code())
                .isEqualTo(200);
    }

    private void kubectlCreates(String name) {
        Answer created =
                http.post(
                        core + "/configmaps?fieldManager=kubectl-create",
                        "{\"metadata\": {\"name\": \"%s\", \"labels\": {\"app\": \"web\"}}}"
                                .formatted(name));
        assertThat(created.code()).isEqualTo(201);
    }

    @Test
    void everyKindIsPrunedThatTheListAllows() {
        String server =
                """
                apiVersion: orloj.dev/v1
                kind: McpServer
                metadata: {name: s}
                spec: {transport: http, endpoint: "https://example.com"}
                ---
                """;
        String secret =
                "{apiVersion: v1, kind: Secret, metadata: {name: s}, data: {k: QQ==}}\n---\n";
        apply(server + secret + maps("kept", "gone"));

        OrlojctlRun maps =
                apply(map("kept"), "--prune", "--all", "--prune-allowlist=core/v1/ConfigMap");
        OrlojctlRun all = apply(map("kept"), "--prune", "--all");

        assertThat(maps.out()).isEqualTo(lines("unchanged", "kept") + lines("pruned", "gone"));
        assertThat(all.out())
                .isEqualTo(
                        lines("unchanged", "kept")
                                + "mcpserver.orloj.dev/s pruned\nsecret.orloj.dev/s pruned\n");
    }

    @Test
    void nothingIsPrunedWhenNotAllIsApplied() {
        apply(maps("kept", "gone"));

        OrlojctlRun run =
                apply(map("kept") + "---\n" + map("Bad_Name"), "--prune", "-l", "app=web");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .contains("1 manifest of 2 could not be applied")
                .endsWith("orlojctl: nothing was pruned, since not all could be applied\n");
        assertThat(isThere("gone")).isTrue();
    }

    @Test
    void manifestThatTheSelectorLeavesOutIsNeitherAppliedNorPruned() {
        apply(maps("kept", "relabelled"));
        String now = map("kept") + "---\n" + map("relabelled").replace("app: web", "app: db");

        OrlojctlRun run = apply(now, "--prune", "-l", "app=web");

        assertThat(run.out()).isEqualTo(lines("unchanged", "kept"));
        assertThat(isThere("relabelled")).isTrue();
    }

    @Test
    void whatAControllerKeepsIsNotPruned() {
        apply(
                map("owned")
                        .replace(
                                "labels:",
                                "ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: x, uid:"
                                        + " u, controller: true}], labels:"));

        assertThat(apply(map("kept"), "--prune", "-l", "app=web").out())
                .isEqualTo(lines("created", "kept"));
        assertThat(isThere("owned")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"set", "secrets/set", "configmaps/set"})
    void membersThatLeftAnApplySetArePruned(String parent) {
        String secret = "{apiVersion: v1, kind: Secret, metadata: {name: s}}\n---\n";
        kubectlCreates("created");
        OrlojctlRun first = apply(secret + maps("kept", "gone"), "--prune", "--applyset=" + parent);
        assertThat(first.err()).isEmpty();
        String collection = parent.startsWith("configmaps") ? "configmaps" : "secrets";
        JsonNode metadata = parent(collection, "set");
        assertThat(annotations(metadata, "contains-group-kinds")).isEqualTo("ConfigMap,Secret");
        assertThat(annotations(metadata, "additional-namespaces")).isEmpty();
        assertThat(annotations(metadata, "tooling")).startsWith("orlojctl/v");
        String id = metadata.path("labels").path("applyset.kubernetes.io/id").asString();
        assertThat(id).matches("applyset-[A-Za-z0-9_-]{43}-v1");
        assertThat(
                        parent("configmaps", "gone")
                                .path("labels")
                                .path("applyset.kubernetes.io/part-of")
                                .asString())
                .isEqualTo(id);

        OrlojctlRun dry = apply(map("kept"), "--prune", "--applyset=" + parent, "--dry-run=server");
        OrlojctlRun second = apply(map("kept"), "--prune", "--applyset=" + parent);

        assertThat(dry.out()).contains("configmap/gone pruned (server dry run)\n");
        assertThat(second)
                .isEqualTo(
                        new OrlojctlRun(
                                0,
                                lines("unchanged", "kept")
                                        + "secret/s pruned\n"
                                        + lines("pruned", "gone"),
                                ""));
        assertThat(annotations(parent(collection, "set"), "contains-group-kinds"))
                .isEqualTo("ConfigMap");
        assertThat(isThere("created")).isTrue();
        assertThat(http.get(core + "/" + collection + "/set").code()).isEqualTo(200);
    }

    private static String annotations(JsonNode metadata, String name) {
        return metadata.path("annotations").path("applyset.kubernetes.io/" + name).asString();
    }

    @Test
    void applySetReachesIntoEveryNamespaceThatItHadMembersIn() {
        String elsewhere = RestServer.shared().freshNamespace();
        String there = map("far").replace("name: far", "name: far, namespace: " + elsewhere);
        String here = map("near").replace("name: near", "name: near, namespace: " + namespace);
        String set = "set-" + namespace;
        applyIn("", here + "---\n" + there, "--prune", "--applyset", set);
        JsonNode parent =
                http.get("/api/v1/namespaces/default/secrets/" + set).json().path("metadata");
        assertThat(annotations(parent, "additional-namespaces"))
                .isEqualTo(String.join(",", new TreeSet<>(List.of(namespace, elsewhere))));

        OrlojctlRun run = applyIn("", here, "--prune", "--applyset", set);

        assertThat(run.out()).isEqualTo(lines("unchanged", "near") + lines("pruned", "far"));
        assertThat(http.get("/api/v1/namespaces/" + elsewhere + "/configmaps/far").code())
                .isEqualTo(404);
    }

    @Test
    void memberOfAnotherApplySetIsNeitherTakenNorPruned() {
        apply(maps("ours", "theirs"), "--prune", "--applyset=one");

        OrlojctlRun refused = apply(map("theirs"), "--prune", "--applyset=two");

        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err())
                .contains("ConfigMap \"theirs\" is a member of another ApplySet (applyset-")
                .contains("--force-conflicts");
        apply(map("own"), "--prune", "--applyset=two");
        assertThat(List.of("ours", "theirs", "own")).allMatch(this::isThere);

        assertThat(apply(map("theirs"), "--prune", "--applyset=two", "--force-conflicts").out())
                .isEqualTo(lines("configured", "theirs") + lines("pruned", "own"));
        assertThat(apply(map("ours"), "--prune", "--applyset=one").out())
                .isEqualTo(lines("unchanged", "ours"));
        assertThat(isThere("theirs")).isTrue();
    }

    @Test
    void parentThatIsNotOfOrlojctlIsRefusedAndLeftAlone() {
        http.post(core + "/secrets", "{\"metadata\": {\"name\": \"plain\"}}");
        http.post(
                core + "/secrets",
                """
                {"metadata": {"name": "kubectls", "annotations":
                  {"applyset.kubernetes.io/tooling": "kubectl/v1.32.4"}}}
                """);
        http.post(
                core + "/secrets",
                """
                {"metadata": {"name": "copied", "labels": {"applyset.kubernetes.io/id": "x"},
                  "annotations": {"applyset.kubernetes.io/tooling": "orlojctl/v1.0.0"}}}
                """);
        JsonNode before = http.get(core + "/secrets").json();

        assertRefused("plain", "it has no annotation applyset.kubernetes.io/tooling");
        assertRefused("kubectls", "it is managed by \"kubectl/v1.32.4\", not by orlojctl");
        assertRefused("copied", "its label applyset.kubernetes.io/id is \"x\", not \"applyset-");

        assertThat(http.get(core + "/secrets").json().path("items"))
                .isEqualTo(before.path("items"));
        assertThat(isThere("a")).isFalse();
    }

    private void assertRefused(String parent, String why) {
        OrlojctlRun run = apply(map("a"), "--prune", "--applyset", parent);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .startsWith("orlojctl: --applyset: Secret \"" + parent + "\" in namespace")
                .contains(why);
    }

    @Test
    void manifestsThatCannotBeMembersAreRefused() {
        String labelled = map("a").replace("app: web", "applyset.kubernetes.io/part-of: x");

        assertThat(apply(labelled, "--prune", "--applyset=set").err())
                .contains(
                        "has the label \"applyset.kubernetes.io/part-of\", which --applyset sets");
        assertThat(
                        apply(
                                        "{apiVersion: orloj.dev/v1, kind: Secret, metadata: {name:"
                                                + " set}}",
                                        "--prune",
                                        "--applyset=set")
                                .err())
                .contains("is the parent of the ApplySet and cannot be a member of it");
        assertThat(http.get(core + "/secrets/set").code()).isEqualTo(404);
    }

    @Test
    void idIsThatOfKubectl() {
        apply(map("a"), "--prune", "--applyset=set");

        String text = "set." + namespace + ".Secret.";
        assertThat(parent("secrets", "set").path("labels"))
                .isEqualTo(
                        Json.MAPPER
                                .createObjectNode()
                                .put("applyset.kubernetes.io/id", kubectlId(text)));
    }

    /** As KEP-3659 has it: {@code applyset-<base64url(sha256(name.namespace.kind.group))>-v1}. */
    private static String kubectlId(String text) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.getBytes(StandardCharsets.UTF_8));
            return "applyset-%s-v1"
                    .formatted(Base64.getUrlEncoder().withoutPadding().encodeToString(hash));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
