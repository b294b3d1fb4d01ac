package dev.orloj.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.server.postgres.TestPostgres;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** I-19: an McpServerPolicy binds every user who writes a server, the administrator included. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ServerPolicyTest {

    private static final String POLICIES = "/apis/orloj.dev/v1/mcpserverpolicies";
    private static final String ORLOJ = "/apis/orloj.dev/v1/namespaces/default/";
    private static final String SERVERS = ORLOJ + "mcpservers";
    private static final String SANDBOXES = ORLOJ + "sandboxes";

    @TempDir static Path data;
    @TempDir static Path temporary;

    private HttpsOrlojd orlojd;
    private HttpsClient owner;
    private Path host;

    @BeforeAll
    void start() throws Exception {
        host = temporary.toRealPath();
        orlojd =
                HttpsOrlojd.start(
                        TestPostgres.freshDatabase(),
                        data,
                        Map.of("orloj.containers.mount-roots", host.toString()));
        owner = orlojd.owner();
    }

    @AfterAll
    void stop() {
        orlojd.close();
    }

    @AfterEach
    void removeWhatTheTestMade() throws Exception {
        owner.send("DELETE", POLICIES, "");
        owner.send("DELETE", SERVERS, "");
        owner.send("DELETE", SANDBOXES, "");
        await().atMost(Duration.ofSeconds(60))
                .until(
                        () ->
                                owner.get(SERVERS).json().path("items").isEmpty()
                                        && owner.get(SANDBOXES).json().path("items").isEmpty());
    }

    private static String server(String name, String spec) {
        return """
        {"apiVersion": "orloj.dev/v1", "kind": "McpServer", "metadata": {"name": "%s"},
         "spec": {%s}}\
        """
                .formatted(name, spec);
    }

    private static String program(String command, String more) {
        return "\"suspend\": true, \"transport\": \"stdio\", \"command\": \"%s\"%s"
                .formatted(command, more);
    }

    private HttpsClient.Answer policy(String name, String spec) throws Exception {
        return owner.post(
                POLICIES,
                """
                {"apiVersion": "orloj.dev/v1", "kind": "McpServerPolicy",
                 "metadata": {"name": "%s"}, "spec": %s}\
                """
                        .formatted(name, spec));
    }

    private void require(String name, String spec) throws Exception {
        HttpsClient.Answer created = policy(name, spec);
        assertThat(created.code()).as(created.text()).isEqualTo(201);
    }

    @Test
    void refusalNamesPolicyFieldValueAndRemedy() throws Exception {
        require("npm", "{\"commands\": [{\"command\": \"npx\", \"packages\": [\"good\"]}]}");

        HttpsClient.Answer refused =
                owner.post(
                        SERVERS,
                        server("a", program("npx", ", \"args\": [\"-p\", \"good\", \"sh\"]")));

        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message())
                .startsWith(
                        "McpServer.orloj.dev \"a\" is invalid: spec.command: Invalid value: \"npx"
                                + " -p good sh\": is forbidden: McpServerPolicy \"npm\" denied"
                                + " request: the package that \"npx\" runs is not known");
        assertThat(refused.json().at("/details/causes/0/field").asString(""))
                .isEqualTo("spec.command");
        assertThat(owner.get(SERVERS + "/a").code()).isEqualTo(404);
    }

    @Test
    void everyPolicyOfTheNamespaceHasToAllowAndOthersDoNotCount() throws Exception {
        require("both", "{\"hosting\": [\"process\", \"http\"]}");
        require("digest", "{\"images\": {\"require_digest\": true}}");
        require(
                "elsewhere",
                "{\"namespace_selector\": {\"matchLabels\": {\"team\": \"other\"}}, \"hosting\":"
                        + " [\"sandbox\"]}");

        assertThat(owner.post(SERVERS, server("b", program("true", ""))).code()).isEqualTo(201);
        HttpsClient.Answer refused =
                owner.post(
                        SERVERS, server("c", "\"transport\": \"stdio\", \"image\": \"alpine:3\""));

        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message())
                .contains("McpServerPolicy \"both\"")
                .contains("McpServerPolicy \"digest\"")
                .doesNotContain("elsewhere");
    }

    @Test
    void unrelatedEditOfAnOldServerWorksAndAWorseOneDoesNot() throws Exception {
        String args = ", \"args\": [\"-c\", \"true\"]";
        assertThat(owner.post(SERVERS, server("old", program("sh", args))).code()).isEqualTo(201);
        require("npm", "{\"commands\": [{\"command\": \"npx\"}]}");

        assertThat(merge("{\"timeout\": \"7s\"}").code()).isEqualTo(200);
        assertThat(merge("{\"args\": [\"-c\", \"id\"]}").code()).isEqualTo(422);
        assertThat(merge("{\"env\": [{\"name\": \"PATH\", \"value\": \"/x\"}]}").message())
                .contains("spec.env[0].name")
                .contains("can change which program runs");
        assertThat(merge("{\"command\": \"npx\", \"args\": [\"x\"]}").code()).isEqualTo(200);
    }

    private HttpsClient.Answer merge(String spec) throws Exception {
        return owner.patch(
                SERVERS + "/old", "application/merge-patch+json", "{\"spec\": %s}".formatted(spec));
    }

    @Test
    void sandboxesAndDeclaredToolsAreLimitedToo() throws Exception {
        require(
                "limits",
                "{\"images\": {\"references\": [\"ghcr.io/acme/*\"]}, \"endpoints\": {\"hosts\":"
                        + " [\"*.acme.com\"]}}");

        HttpsClient.Answer sandbox =
                owner.post(
                        SANDBOXES,
                        """
                        {"apiVersion": "orloj.dev/v1", "kind": "Sandbox",
                         "metadata": {"name": "s"}, "spec": {"image": "evil/box"}}\
                        """);
        HttpsClient.Answer tool =
                owner.post(
                        ORLOJ + "tools",
                        """
                        {"apiVersion": "orloj.dev/v1", "kind": "Tool", "metadata": {"name": "t"},
                         "spec": {"type": "http", "endpoint": "https://example.com/x"}}\
                        """);

        assertThat(sandbox.message()).contains("spec.image").contains("ghcr.io/acme/*");
        assertThat(tool.message()).contains("spec.endpoint").contains("*.acme.com");
    }

    @Test
    void callOfAToolWhoseHostALaterPolicyDeniesSaysSo() throws Exception {
        String spec = "\"type\": \"http\", \"endpoint\": \"http://127.0.0.1:9/x\"";
        assertThat(
                        owner.post(
                                        ORLOJ + "tools",
                                        """
                                        {"apiVersion": "orloj.dev/v1", "kind": "Tool",
                                         "metadata": {"name": "later"}, "spec": {%s}}\
                                        """
                                                .formatted(spec))
                                .code())
                .isEqualTo(201);

        require("hosts", "{\"endpoints\": {\"hosts\": [\"*.acme.com\"]}}");

        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(
                        () -> {
                            HttpsClient.Answer call =
                                    owner.post(ORLOJ + "tools/later/call", "{\"arguments\": {}}");
                            assertThat(call.code()).isEqualTo(422);
                            assertThat(call.message())
                                    .contains("tool \"default/later\" cannot be called")
                                    .contains(
                                            "McpServerPolicy \"hosts\" does not allow spec.endpoint"
                                                    + " \"http://127.0.0.1:9/x\": allowed hosts:"
                                                    + " *.acme.com");
                        });
    }

    @Test
    void emptyOrMisleadingRulesAreRefused() throws Exception {
        assertThat(policy("e", "{}").code()).isEqualTo(422);
        assertThat(policy("e", "{\"hosting\": []}").code()).isEqualTo(422);
        assertThat(policy("e", "{\"commands\": []}").code()).isEqualTo(422);
        assertThat(policy("e", "{\"images\": {}}").code()).isEqualTo(422);
        assertThat(policy("e", "{\"images\": {\"references\": [\"*\"]}}").code()).isEqualTo(422);
        assertThat(policy("e", "{\"env\": {}}").code()).isEqualTo(422);
        for (String rule :
                List.of(
                        "\"mounts\": {}",
                        "\"mounts\": {\"read_only\": false}",
                        "\"mounts\": {\"host_paths\": []}",
                        "\"mounts\": {\"host_paths\": [\"/\"]}",
                        "\"mounts\": {\"host_paths\": [\"srv\"]}",
                        "\"mounts\": {\"host_paths\": [\"/srv/../etc\"]}",
                        "\"mounts\": {\"host_paths\": [\"/srv/\"]}",
                        "\"ceilings\": {}",
                        "\"ceilings\": {\"memory\": \"much\"}",
                        "\"network\": {}",
                        "\"network\": {\"modes\": []}",
                        "\"network\": {\"modes\": [\"host\"]}",
                        "\"network\": {\"hosts\": [\"*\"]}",
                        "\"engine\": \"vm\"",
                        "\"engine\": \"pod\", \"hosting\": [\"process\", \"http\"]")) {
            assertThat(policy("e", "{%s}".formatted(rule)).code()).as(rule).isEqualTo(422);
        }
        assertThat(policy("e", "{\"env\": {\"names\": []}}").code()).isEqualTo(422);
        assertThat(policy("e", "{\"env\": {\"names\": [\"A=B\"]}}").code()).isEqualTo(422);
        assertThat(
                        policy(
                                        "e",
                                        "{\"commands\": [{\"command\": \"sh\", \"packages\":"
                                                + " [\"x\"]}]}")
                                .message())
                .contains("bunx, npx, pipx, uvx");
    }

    @Test
    void variablesOfAllProgramsAndSandboxesAreLimited() throws Exception {
        require("names", "{\"env\": {\"names\": [\"API_*\", \"HOME\"]}}");
        require("commands", "{\"commands\": [{\"command\": \"true\"}]}");
        String other = ", \"env\": [{\"name\": \"OTHER\", \"value\": \"1\"}]";

        assertThat(owner.post(SERVERS, server("v", program("true", other))).message())
                .contains(
                        "spec.env[0].name: Invalid value: \"OTHER\": is forbidden: McpServerPolicy"
                            + " \"names\" denied request: allowed variables: API_*, HOME; remove"
                            + " it");
        assertThat(
                        owner.post(
                                        SERVERS,
                                        server(
                                                "v",
                                                "\"transport\": \"stdio\", \"image\": \"a/b\""
                                                        + other))
                                .code())
                .isEqualTo(422);
        assertThat(owner.post(SANDBOXES, sandbox("v", "\"image\": \"a/b\"" + other)).message())
                .contains("spec.env[0].name");
        assertThat(
                        owner.post(
                                        SERVERS,
                                        server(
                                                "v",
                                                program("true", other.replace("OTHER", "HOME"))))
                                .message())
                .as("a name that env allows may still be one that redirects commands")
                .contains("McpServerPolicy \"commands\"");
    }

    private static String sandbox(String name, String spec) {
        return """
        {"apiVersion": "orloj.dev/v1", "kind": "Sandbox", "metadata": {"name": "%s"},
         "spec": {%s}}\
        """
                .formatted(name, spec);
    }

    @Test
    void oldVariableIsNoObstacleAtAnotherPlaceOfTheList() throws Exception {
        String old = "{\"name\": \"OLD\", \"value\": \"1\"}";
        String first = "{\"name\": \"API_KEY\", \"value\": \"1\"}";
        String more = ", \"env\": [%s]".formatted(old);
        assertThat(owner.post(SERVERS, server("old", program("true", more))).code()).isEqualTo(201);
        require("names", "{\"env\": {\"denied_names\": [\"o*\"]}}");

        assertThat(merge("{\"env\": [%s, %s]}".formatted(first, old)).code()).isEqualTo(200);
        assertThat(merge("{\"env\": [%s, {\"name\": \"other\"}]}".formatted(first)).code())
                .isEqualTo(422);
    }

    @Test
    void variablesOfAConfigMapAreLimitedWhenTheServerRunsAndInAReview() throws Exception {
        require("names", "{\"env\": {\"denied_names\": [\"*_PROXY\"]}}");
        owner.post(
                "/api/v1/namespaces/default/configmaps",
                """
                {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "vars"},
                 "data": {"http_proxy": "http://evil"}}\
                """);
        String spec =
                "\"transport\": \"stdio\", \"command\": \"sleep\", \"args\": [\"1000\"],"
                        + " \"env_from\": [{\"configMapRef\": {\"name\": \"vars\"}}]";
        String manifest = server("running", spec);

        assertThat(owner.post(SERVERS, manifest).code()).isEqualTo(201);
        String refusal =
                "McpServerPolicy \"names\" does not allow spec.env_from \"http_proxy\": variables"
                        + " \"*_PROXY\" are denied: remove it";
        assertThat(awaitAccepted("False", "PolicyViolation")).isEqualTo(refusal);
        // A review sees the policies and ConfigMaps that the server's controller has seen.
        HttpsClient.Answer review =
                owner.post(
                        ORLOJ + "mcpserverreviews",
                        """
                        {"apiVersion": "orloj.dev/v1", "kind": "McpServerReview",
                         "spec": {"manifest": %s}}\
                        """
                                .formatted(manifest));
        assertThat(review.json().toString()).contains(refusal.replace("\"", "\\\""));
    }

    private static String mount(Path folder, String more) {
        return """
        "image": "a/b", "mounts": [{"host_path": "%s", "mount_path": "/data"%s}]\
        """
                .formatted(folder, more);
    }

    @Test
    void foldersOfTheHostAreLimitedByTheirRealPath() throws Exception {
        Path open = Files.createDirectories(host.resolve("open/a/deep"));
        Path secret = Files.createDirectories(host.resolve("secret"));
        Path link = Files.createSymbolicLink(host.resolve("open/link"), secret);
        Path inward = Files.createSymbolicLink(host.resolve("inward"), open.getParent());
        require(
                "folders",
                "{\"mounts\": {\"host_paths\": [\"%s/open/*\"], \"read_only\": true}}"
                        .formatted(host));

        assertThat(owner.post(SANDBOXES, sandbox("a", mount(open.getParent(), ""))).code())
                .isEqualTo(201);
        assertThat(owner.post(SANDBOXES, sandbox("b", mount(inward, ""))).code()).isEqualTo(201);
        assertThat(owner.post(SANDBOXES, sandbox("c", mount(link, ""))).message())
                .contains(
                        "spec.mounts[0].host_path: Invalid value: \"%s\": is forbidden: McpServerPolicy \"folders\" denied request: it leads to \"%s\"; allowed folders: %s/open/*"
                                .formatted(link, secret, host));
        assertThat(owner.post(SANDBOXES, sandbox("d", mount(open, ""))).code()).isEqualTo(422);
        assertThat(owner.post(SANDBOXES, sandbox("e", mount(host.resolve("open"), ""))).code())
                .isEqualTo(422);
        String climb = open + "/../../../secret";
        assertThat(owner.post(SANDBOXES, sandbox("f", mount(Path.of(climb), ""))).code())
                .isEqualTo(422);
        assertThat(
                        owner.post(
                                        SANDBOXES,
                                        sandbox(
                                                "g",
                                                mount(open.getParent(), ", \"read_only\": false")))
                                .message())
                .contains("spec.mounts[0].read_only")
                .contains("set read_only: true");
    }

    @Test
    void linkThatIsTurnedAfterTheWriteIsFoundWhenTheSandboxRuns() throws Exception {
        Path allowed = Files.createDirectories(host.resolve("turned/a"));
        Path other = Files.createDirectories(host.resolve("other"));
        Path link = Files.createSymbolicLink(host.resolve("link"), allowed);
        require("folders", "{\"mounts\": {\"host_paths\": [\"%s\"]}}".formatted(allowed));
        owner.post(SANDBOXES, sandbox("box", mount(link, "")));
        awaitAccepted(SANDBOXES + "/box", "True", "Accepted");

        Files.delete(link);
        Files.createSymbolicLink(link, other);
        HttpsClient.Answer edit =
                owner.patch(
                        SANDBOXES + "/box",
                        "application/merge-patch+json",
                        "{\"spec\": {\"args\": [\"x\"]}}");

        assertThat(edit.code()).isEqualTo(200);
        assertThat(awaitAccepted(SANDBOXES + "/box", "False", "PolicyViolation"))
                .isEqualTo(
                        "McpServerPolicy \"folders\" does not allow spec.mounts[0].host_path \"%s\": it leads to \"%s\"; allowed folders: %s"
                                .formatted(link, other, allowed));
    }

    @Test
    void networkThatAManifestDoesNotSetIsTheOneOfOrlojd() throws Exception {
        require("offline", "{\"network\": {\"modes\": [\"none\"]}}");
        String image = "\"transport\": \"stdio\", \"suspend\": true, \"image\": \"a/b\"";

        assertThat(owner.post(SERVERS, server("n", image)).message())
                .contains(
                        "spec.network.mode: Invalid value: \"isolated\": is forbidden:"
                            + " McpServerPolicy \"offline\" denied request: this mode, which"
                            + " applies when the manifest sets none, is not allowed here; allowed"
                            + " modes: none");
        assertThat(owner.post(SANDBOXES, sandbox("n", "\"image\": \"a/b\"")).code()).isEqualTo(422);
        assertThat(
                        owner.post(
                                        SERVERS,
                                        server("n", image + ", \"network\": {\"mode\": \"none\"}"))
                                .code())
                .isEqualTo(201);
    }

    @Test
    void hostsOfANetworkAreLimitedAndAWayToAllOfThemIsRefused() throws Exception {
        require("hosts", "{\"network\": {\"hosts\": [\"*.acme.com\"]}}");
        String image = "\"transport\": \"stdio\", \"suspend\": true, \"image\": \"a/b\"";
        String hosts = image + ", \"network\": {\"allow_hosts\": [%s]}";

        assertThat(owner.post(SERVERS, server("h", image)).message())
                .contains("spec.network.mode")
                .contains("reaches all hosts; set mode none, or allow_hosts");
        assertThat(
                        owner.post(
                                        SERVERS,
                                        server(
                                                "h",
                                                hosts.formatted(
                                                        "\"api.acme.com\", \"*.evil.com:443\"")))
                                .message())
                .contains("spec.network.allow_hosts[1]: Invalid value: \"*.evil.com:443\"")
                .doesNotContain("allow_hosts[0]");
        assertThat(
                        owner.post(SERVERS, server("h", hosts.formatted("\"api.acme.com:8443\"")))
                                .code())
                .isEqualTo(201);
    }

    @Test
    void ceilingsAreComparedAsQuantitiesAndWithWhatOrlojdApplies() throws Exception {
        require(
                "small",
                "{\"ceilings\": {\"memory\": \"100m\", \"cpus\": \"500m\", \"max_sessions\": 2}}");
        String image = "\"transport\": \"stdio\", \"suspend\": true, \"image\": \"a/b\"";
        String more = ", \"resources\": {\"memory\": \"%s\", \"cpus\": \"0.5\"}%s";

        assertThat(owner.post(SERVERS, server("c", image)).message())
                .contains(
                        "spec.resources.memory: Invalid value: \"128Mi\": is forbidden:"
                            + " McpServerPolicy \"small\" denied request: at most 100m is allowed,"
                            + " and 128Mi applies when it is absent; set it to that or less")
                .contains("spec.max_sessions: Invalid value: \"10\"")
                .doesNotContain("cpus");
        assertThat(
                        owner.post(
                                        SERVERS,
                                        server(
                                                "c",
                                                image
                                                        + more.formatted(
                                                                "0.2g", ", \"max_sessions\": 2")))
                                .message())
                .contains("spec.resources.memory: Invalid value: \"0.2g\"")
                .doesNotContain("max_sessions");
        assertThat(
                        owner.post(
                                        SERVERS,
                                        server(
                                                "c",
                                                image
                                                        + more.formatted(
                                                                "102400k",
                                                                ", \"session_scope\": \"shared\"")))
                                .code())
                .isEqualTo(201);
        assertThat(
                        owner.post(SERVERS, server("d", program("true", ", \"max_sessions\": 3")))
                                .code())
                .isEqualTo(422);
        assertThat(owner.post(SANDBOXES, sandbox("c", "\"image\": \"a/b\"")).message())
                .contains("spec.resources.memory")
                .doesNotContain("max_sessions");
    }

    @Test
    void oldExcessIsNoObstacleAndALargerOneIs() throws Exception {
        String args = ", \"max_sessions\": 20";
        assertThat(owner.post(SERVERS, server("old", program("true", args))).code()).isEqualTo(201);
        require("few", "{\"ceilings\": {\"max_sessions\": 5}}");

        assertThat(merge("{\"timeout\": \"7s\"}").code()).isEqualTo(200);
        assertThat(merge("{\"max_sessions\": 21}").code()).isEqualTo(422);
        assertThat(merge("{\"max_sessions\": null}").code()).isEqualTo(422);
        assertThat(merge("{\"max_sessions\": 5}").code()).isEqualTo(200);
    }

    @Test
    void laterPolicyStopsAServerAndItsRemovalStartsItAgain() throws Exception {
        assertThat(
                        owner.post(
                                        SERVERS,
                                        server(
                                                "running",
                                                "\"transport\": \"stdio\", \"command\": \"sleep\","
                                                        + " \"args\": [\"1000\"]"))
                                .code())
                .isEqualTo(201);
        awaitAccepted("True", "Accepted");

        require("none", "{\"hosting\": [\"http\"]}");

        String message = awaitAccepted("False", "PolicyViolation");
        assertThat(message)
                .isEqualTo(
                        "McpServerPolicy \"none\" does not allow spec.command \"sleep\": hosting"
                                + " \"process\" is not allowed here; allowed: http");

        owner.send("DELETE", POLICIES + "/none", "");
        awaitAccepted("True", "Accepted");

        require(
                "labelled",
                "{\"namespace_selector\": {\"matchLabels\": {\"tier\": \"closed\"}}, \"hosting\":"
                        + " [\"http\"]}");
        owner.patch(
                "/api/v1/namespaces/default",
                "application/merge-patch+json",
                "{\"metadata\": {\"labels\": {\"tier\": \"closed\"}}}");
        awaitAccepted("False", "PolicyViolation");
        owner.patch(
                "/api/v1/namespaces/default",
                "application/merge-patch+json",
                "{\"metadata\": {\"labels\": {\"tier\": null}}}");
        awaitAccepted("True", "Accepted");
    }

    /** Outside of a cluster: nothing that has to run in a Pod runs as something else. */
    @Test
    void engineOfTheNamespaceBindsNewServersAndThoseThatRun() throws Exception {
        String image =
                "\"transport\": \"stdio\", \"image\": \"a/b\", \"pod\": {\"node_selector\":"
                        + " {\"disk\": \"ssd\"}}";
        String command = "\"transport\": \"stdio\", \"command\": \"sleep\"";
        assertThat(
                        owner.post(SERVERS, server("running", command + ", \"args\": [\"1000\"]"))
                                .code())
                .isEqualTo(201);
        awaitAccepted("True", "Accepted");

        require("pods", "{\"engine\": \"pod\"}");

        assertThat(awaitAccepted("False", "PolicyViolation"))
                .isEqualTo(
                        "McpServerPolicy \"pods\" does not allow spec.command \"sleep\": engine"
                            + " \"pod\" is required, which runs nothing on the host; set image");
        assertThat(owner.post(SERVERS, server("other", command)).message())
                .contains("spec.command: Invalid value: \"sleep\": is forbidden: McpServerPolicy");
        HttpsClient.Answer created = owner.post(SERVERS, server("image", image));
        assertThat(created.code()).isEqualTo(201);
        assertThat(created.header("Warning")).contains("spec.pod has no effect");
        assertThat(awaitAccepted(SERVERS + "/image", "False", "EngineUnavailable"))
                .startsWith("McpServerPolicy \"pods\" requires engine \"pod\", and this orlojd")
                .contains("--container-engine pod");
        owner.send("DELETE", SERVERS + "/image", "");
        await().atMost(Duration.ofSeconds(60))
                .until(() -> owner.get(SERVERS + "/image").code() == 404);

        owner.send("DELETE", POLICIES + "/pods", "");
        awaitAccepted("True", "Accepted");
    }

    /** Waits for the condition Accepted of the server "running", and returns its message. */
    private String awaitAccepted(String status, String reason) {
        return awaitAccepted(SERVERS + "/running", status, reason);
    }

    private String awaitAccepted(String path, String status, String reason) {
        JsonNode accepted =
                await().atMost(Duration.ofSeconds(60))
                        .until(
                                () -> accepted(path),
                                c ->
                                        c.path("status").asString("").equals(status)
                                                && c.path("reason").asString("").equals(reason));
        return accepted.path("message").asString("");
    }

    private JsonNode accepted(String path) throws Exception {
        return owner.get(path)
                .json()
                .at("/status/conditions")
                .valueStream()
                .filter(c -> c.path("type").asString("").equals("Accepted"))
                .findFirst()
                .orElse(MissingNode.getInstance());
    }

    @Test
    void editorsDoNotWritePolicies() throws Exception {
        orlojd.bind("boss", "admin");
        HttpsClient boss = orlojd.user("boss");
        await().atMost(Duration.ofSeconds(60)).until(() -> boss.get(SERVERS).code() == 200);

        assertThat(boss.get(POLICIES).code()).isEqualTo(403);
        assertThat(boss.post(POLICIES, "{}").code()).isEqualTo(403);
    }
}
