package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ledger.LedgerEntry;
import dev.orloj.server.mcp.StatelessAgent;
import dev.orloj.server.testing.PolicyProbe;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A package that changes once it is trusted, and leaves every definition as it was, at two
 * replicas. Each version notes in a file that it was called, so that no call is overlooked.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ChangedCodeTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    /** Installs nothing, and runs what is installed, as npx does. */
    private static final String NPX = "#!/bin/sh\nexec python3 -S \"$3/node_modules/.bin/mail\"\n";

    /** Notes each call with the version that was installed when it started. */
    private static final String MAIL =
            """
            import json, os, sys, threading, time
            home = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
            def installed():
                with open(home + "/node_modules/mail-server/package.json") as file:
                    return json.load(file)["version"]
            version = installed()
            def follow():
                while os.path.exists(home + "/follow"):
                    time.sleep(0.02)
                    if installed() != version:
                        os._exit(0)
            def say(id, result):
                sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": id, "result": result}) + "\\n")
                sys.stdout.flush()
            threading.Thread(target=follow, daemon=True).start()
            for line in sys.stdin:
                message = json.loads(line)
                id, method = message.get("id"), message.get("method")
                if method == "initialize":
                    say(id, {"protocolVersion": message["params"]["protocolVersion"],
                             "capabilities": {"tools": {}, "prompts": {}},
                             "serverInfo": {"name": "mail", "version": "1"}})
                elif method == "tools/list":
                    say(id, {"tools": [{"name": "send", "description": "Sends a mail.",
                                        "inputSchema": {"type": "object"}}]})
                elif method == "prompts/list":
                    say(id, {"prompts": [{"name": "letter"}]})
                elif method == "prompts/get":
                    say(id, {"messages": []})
                elif method == "tools/call":
                    with open(home + "/called", "a") as file:
                        file.write(version + "\\n")
                    say(id, {"content": [{"type": "text", "text": version}]})
                elif id is not None:
                    say(id, {})
            """;

    @TempDir static Path folder;

    private RunningOrlojd first;
    private RunningOrlojd second;
    private PolicyProbe probe;

    @BeforeAll
    void start() throws IOException {
        Path npx = folder.resolve("npx");
        Files.writeString(npx, NPX);
        assertThat(npx.toFile().setExecutable(true)).isTrue();
        first = RunningOrlojd.start();
        second = RunningOrlojd.start(first.database(), Map.of());
        probe = new PolicyProbe(first.client());
        first.client()
                .create(
                        "default",
                        "toolpolicies",
                        """
                        apiVersion: orloj.dev/v1
                        kind: ToolPolicy
                        metadata: {name: strict}
                        spec: {on_change: quarantine, server_filter: {include: [n-*]}}
                        """);
    }

    @AfterAll
    void stop() {
        second.close();
        first.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "q: on_change: quarantine",
                "n: on_change: accept",
                "o: on_change_of: {runs: quarantine}",
                "r: on_change: reject"
            })
    void changedPackageIsWithheldAtEachReplicaUntilAUserApprovesIt(String policy)
            throws IOException {
        String server = policy.charAt(0) + "-mail";
        serve(server, policy.substring(3));
        install(server, "1.0.16");
        awaitWithheld(server);
        assertThat(probe.condition(server, "Ready").path("message").asString())
                .contains(
                        "mail-server 1.0.15 sha512-of1.0.15",
                        "is now mail-server 1.0.16 sha512-of1.0.16",
                        "orlojctl tools approve " + server + " server/runs");
        assertThat(called(server)).doesNotContain("1.0.16");
        probe.decide(server, "server/runs", "Approved");
        first.awaitReady("default", server);
        awaitCalled(server, "1.0.16");
        assertThat(probe.held(server)).isEmpty();
        assertThat(probe.served(server)).containsKey("server/runs");
        probe.assertThatLedgerIsWhole(server);
    }

    @Test
    void packageThatIsStartedByAnotherReplicaIsWithheldEverywhere() throws IOException {
        String server = "q-elsewhere";
        install(server, "1.0.15");
        Files.delete(home(server).resolve("follow"));
        create(server, "mail-server", "on_change: quarantine");
        assertThat(call(first, server).body().toString()).contains("\"1.0.15\"");
        second.awaitReady("default", server);
        install(server, "1.0.16");
        // The session of the first replica stays; the second one starts what is installed now.
        assertThat(call(second, server).body().toString()).contains("server/runs");
        awaitWithheld(server);
        assertThat(called(server)).doesNotContain("1.0.16");
    }

    @Test
    void rejectedPackageStaysWithheldAndTheOneFromBeforeIsServedAfterARestart() throws IOException {
        String server = "q-rejected";
        serve(server, "on_change: quarantine");
        install(server, "1.0.16");
        awaitWithheld(server);
        probe.decide(server, "server/runs", "Rejected");
        await().atMost(TIMEOUT)
                .until(
                        () ->
                                probe.condition(server, "ToolsApproved")
                                        .path("reason")
                                        .asString("")
                                        .equals("Rejected"));
        awaitWithheld(server);
        install(server, "1.0.15");
        restart(server);
        first.awaitReady("default", server);
        awaitCalled(server, "1.0.15");
        assertThat(called(server)).doesNotContain("1.0.16");
        assertThat(probe.held(server)).isEmpty();
        probe.assertThatLedgerIsWhole(server);
    }

    @Test
    void pinnedPackageIsServedAndNoOther() throws IOException {
        String server = "p-mail";
        serve(server, "on_change: accept");
        String pin = probe.served(server).get("server/runs");
        first.client()
                .patch(
                        PolicyProbe.path(server),
                        """
                        {"spec": {"tool_policy": {"pins": {
                            "server/runs": "%s", "send": "%s", "prompt/letter": "%s"}}}}\
                        """
                                .formatted(
                                        pin,
                                        tool(server),
                                        probe.served(server).get("prompt/letter")));
        first.awaitReady("default", server);
        awaitCalled(server, "1.0.15");
        install(server, "1.0.16");
        awaitWithheld(server);
        assertThat(probe.condition(server, "Ready").path("message").asString())
                .contains("not the pinned definition", "unless the pins of the manifest name");
        assertThat(called(server)).doesNotContain("1.0.16");
    }

    @Test
    void versionThatTheManifestNamesAnewNeedsNoApproval() throws IOException {
        String server = "q-named";
        install(server, "1.0.15");
        create(server, "mail-server@1.0.15", "on_change: quarantine");
        awaitCalled(server, "1.0.15");
        Files.deleteIfExists(home(server).resolve("follow"));
        install(server, "1.0.16");
        first.client()
                .patch(
                        PolicyProbe.path(server),
                        "{\"spec\": {\"args\": [\"-y\", \"mail-server@1.0.16\", \"%s\"]}}"
                                .formatted(home(server)));
        awaitCalled(server, "1.0.16");
        assertThat(probe.held(server)).isEmpty();
        probe.assertThatLedgerIsWhole(server);
    }

    @Test
    void changedPackageIsRecordedWithoutAPolicyAndReportedWithWarn() throws IOException {
        for (String server : List.of("a-mail", "w-mail")) {
            boolean warns = server.startsWith("w");
            serve(server, warns ? "on_change_of: {runs: warn}" : "on_remove: accept");
            install(server, "1.0.16");
            awaitCalled(server, "1.0.16");
            assertThat(probe.operationsOfRuns(server)).containsSequence("Enrolled", "Changed");
            await().atMost(TIMEOUT).until(() -> hasWarning(server) == warns);
            probe.assertThatLedgerIsWhole(server);
        }
    }

    @Test
    void changedScriptOfAnInterpreterIsWithheld() throws IOException {
        String server = "q-script";
        install(server, "1.0.15");
        Path script = home(server).resolve("node_modules/.bin/mail");
        first.client()
                .create(
                        "default",
                        "mcpservers",
                        RunningOrlojd.stdio(
                                server,
                                List.of("python3", "-S", script.toString()),
                                "tool_policy: {on_change: quarantine}"));
        awaitCalled(server, "1.0.15");
        Files.writeString(script, MAIL + "# and a copy to me\n");
        install(server, "1.0.16"); // ends the process
        awaitWithheld(server);
        assertThat(called(server)).doesNotContain("1.0.16");
    }

    private boolean hasWarning(String server) {
        for (JsonNode event :
                first.client()
                        .get("/api/v1/namespaces/default/events")
                        .expect(200)
                        .body()
                        .path("items")) {
            if (event.path("reason").asString("").equals("CodeChanged")
                    && event.at("/involvedObject/name").asString("").equals(server)) {
                return true;
            }
        }
        return false;
    }

    private void serve(String server, String policy) throws IOException {
        install(server, "1.0.15");
        create(server, "mail-server", policy);
        awaitCalled(server, "1.0.15");
    }

    private void create(String server, String named, String policy) {
        first.client()
                .create(
                        "default",
                        "mcpservers",
                        RunningOrlojd.stdio(
                                server,
                                List.of(
                                        folder.resolve("npx").toString(),
                                        "-y",
                                        named,
                                        home(server).toString()),
                                "tool_policy: {%s}".formatted(policy)));
        first.awaitReady("default", server);
    }

    private static Path home(String server) {
        return folder.resolve(server);
    }

    private static void install(String server, String version) throws IOException {
        Path modules = home(server).resolve("node_modules");
        Files.createDirectories(modules.resolve("mail-server"));
        Files.createDirectories(modules.resolve(".bin"));
        if (!Files.exists(modules.resolve(".bin/mail"))) {
            Files.writeString(home(server).resolve("follow"), "");
            Files.writeString(modules.resolve(".bin/mail"), MAIL);
        }
        write(
                modules.resolve(".package-lock.json"),
                """
                {"packages": {"node_modules/mail-server": {
                    "version": "%s", "integrity": "sha512-of%1$s"}}}\
                """
                        .formatted(version));
        write(
                modules.resolve("mail-server/package.json"),
                "{\"name\": \"mail-server\", \"version\": \"%s\"}".formatted(version));
    }

    private static void write(Path file, String content) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        Files.writeString(next, content);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static String called(String server) throws IOException {
        Path calls = home(server).resolve("called");
        return Files.exists(calls) ? Files.readString(calls) : "";
    }

    private RestClient.Answer call(RunningOrlojd replica, String server) {
        return replica.client().call("default", server + "--send", "{}");
    }

    private static String callOverMcp(RunningOrlojd replica, String server) {
        return StatelessAgent.at(replica.client().url(), "").call(server + "__send", "{}").text();
    }

    private void awaitCalled(String server, String version) {
        for (RunningOrlojd replica : List.of(first, second)) {
            await().atMost(TIMEOUT)
                    .untilAsserted(
                            () ->
                                    assertThat(call(replica, server).body().toString())
                                            .contains("\"" + version + "\""));
            await().atMost(TIMEOUT).until(() -> isListed(replica, server));
        }
    }

    /** Waits until neither replica lists or serves anything of a server, and says why. */
    private void awaitWithheld(String server) {
        for (RunningOrlojd replica : List.of(first, second)) {
            await().atMost(TIMEOUT)
                    .untilAsserted(
                            () -> {
                                RestClient.Answer call = call(replica, server);
                                assertThat(call.code()).isEqualTo(403);
                                assertThat(call.body().toString())
                                        .contains("what runs behind this tool is held");
                                assertThat(callOverMcp(replica, server))
                                        .contains("-32602", "what runs behind this tool is held");
                                assertThat(isListed(replica, server)).isFalse();
                                assertThat(asked(replica, server, "tools/list"))
                                        .doesNotContain("\"send\"");
                                assertThat(asked(replica, server, "prompts/list"))
                                        .contains("is withheld by its policy", "server/runs");
                            });
        }
        assertThat(probe.held(server)).containsOnlyKeys("server/runs");
        assertThat(probe.condition(server, "Ready").path("reason").asString())
                .isEqualTo("Withheld");
    }

    private boolean isListed(RunningOrlojd replica, String server) {
        return asked(replica, "", "tools/list").contains("\"" + server);
    }

    /** The answer of the endpoint of a server, or of its namespace if the server is empty. */
    private static String asked(RunningOrlojd replica, String server, String method) {
        return StatelessAgent.at(replica.client().url(), server).ask(method, "").json().toString();
    }

    private void restart(String server) {
        first.client()
                .patch(
                        PolicyProbe.path(server),
                        """
                        {"metadata": {"annotations": {
                            "orloj.dev/restartedAt": "2026-01-01T00:00:00Z"}}}\
                        """);
    }

    private String tool(String server) {
        String digest = "";
        for (LedgerEntry entry : probe.entries(server)) {
            digest = entry.subject().equals(LedgerEntry.TOOL) ? entry.content() : digest;
        }
        return digest;
    }
}
