package dev.orloj.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;

import dev.orloj.api.Condition;
import dev.orloj.api.Conditions;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerStatus;
import dev.orloj.cli.command.CommandTest;
import dev.orloj.cli.testing.CommandLineRun;
import dev.orloj.cli.testing.PseudoTerminal;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A server whose image is pulled while commands wait for it. */
@Timeout(180)
@DisplayName("20.7: progress where one waits, in plain lines outside of a terminal")
class ProgressTest extends CommandTest {

    private static final ResourceKey KEY = new ResourceKey("default", "box");
    private static final String WAITING =
            "Waiting for condition=Ready of mcpserver.orloj.dev/box: ";
    private static final String ERASE = "\r\u001b[K";

    private static final String MANIFEST =
            """
            {"apiVersion": "orloj.dev/v1", "kind": "McpServer",
             "metadata": {"name": "box", "namespace": "default"},
             "spec": {"transport": "stdio", "image": "me/box"}}
            """;

    private void set(Condition... conditions) {
        McpServer stored = orlojd.resources().store().get(McpServer.KIND, KEY);
        orlojd.resources()
                .store()
                .updateStatus(
                        McpServer.KIND,
                        stored.withStatus(
                                McpServerStatus.EMPTY.toBuilder()
                                        .conditions(
                                                Conditions.merge(
                                                        List.of(),
                                                        List.of(conditions),
                                                        stored.metadata().generation(),
                                                        clock.instant()))
                                        .build()));
    }

    private void pulled(String progress) {
        set(
                Condition.isFalse("ImagePulled", "Pulling", "Image is being pulled: " + progress),
                Condition.isFalse("Ready", "Connecting", "It starts"));
    }

    private void starting() {
        set(Condition.isFalse("Ready", "Connecting", "It\nstarts"));
    }

    private void ready() {
        set(Condition.isTrue("Ready", "Synced", ""));
    }

    private void awaitWatch() {
        await().atMost(Duration.ofSeconds(120))
                .until(() -> orlojd.requests().stream().anyMatch(r -> r.contains("watch=true")));
    }

    @Test
    void pipeGetsALineForEachChange() throws Exception {
        orlojd.resources().put(MANIFEST);
        pulled("1 of 40 MB");

        CompletableFuture<CommandLineRun> run =
                CompletableFuture.supplyAsync(
                        () -> ctl("wait", "mcp/box", "--for", "condition=Ready"));
        awaitWatch();
        pulled("2 of 40 MB");
        starting();
        ready();

        assertThat(run.get(120, TimeUnit.SECONDS).err())
                .isEqualTo(
                        WAITING
                                + "Image is being pulled: 1 of 40 MB\n"
                                + WAITING
                                + "Ready is False (Connecting): It starts\n");
        assertThat(run.get(120, TimeUnit.SECONDS).out())
                .isEqualTo("mcpserver.orloj.dev/box condition met\n");
    }

    @Test
    void nothingIsSaidWhereNothingIsWaitedFor() {
        orlojd.resources().put(MANIFEST);
        ready();

        assertThat(ctl("wait", "mcp/box", "--for", "condition=Ready").err()).isEmpty();
        assertThat(ctl("rollout", "status", "mcp/box").err()).isEmpty();
    }

    @Test
    void terminalHasOneLineThatVanishes() throws Exception {
        orlojd.resources().put(MANIFEST);
        pulled("1 of 40 MB");

        CompletableFuture<PseudoTerminal.Ended> run =
                CompletableFuture.supplyAsync(
                        () -> inTerminal(70, "wait", "mcp/box", "--for", "condition=Ready"));
        awaitWatch();
        starting();
        ready();

        assertThat(run.get(120, TimeUnit.SECONDS).printed())
                .isEqualTo(
                        ERASE
                                + WAITING
                                + "Image is bei…"
                                + ERASE
                                + WAITING
                                + "Ready is Fal…"
                                + ERASE
                                + "mcpserver.orloj.dev/box condition met\n");
    }

    @Test
    void progressIsTurnedOff() throws Exception {
        orlojd.resources().put(MANIFEST);
        pulled("1 of 40 MB");
        Map<String, String> environment =
                Map.of("ORLOJCTL_SERVER", orlojd.url(), "ORLOJCTL_PROGRESS", "off");

        CompletableFuture<CommandLineRun> run =
                CompletableFuture.supplyAsync(
                        () ->
                                CommandLineRun.of(
                                        clock, environment, "", "rollout", "status", "mcp/box"));
        awaitWatch();
        ready();

        assertThat(run.get(120, TimeUnit.SECONDS).err()).isEmpty();
    }

    private PseudoTerminal.Ended inTerminal(int columns, String... line) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Main.class.getName()));
        command.addAll(List.of(line));
        try {
            return PseudoTerminal.run(
                    columns,
                    Map.of(
                            "ORLOJCTL_SERVER",
                            orlojd.url(),
                            "ORLOJCTL_WIDTH",
                            String.valueOf(columns),
                            "TERM",
                            "xterm"),
                    command);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void serverThatIsAddedIsWaitedForWhereThatIsAskedFor() throws Exception {
        CompletableFuture<CommandLineRun> run =
                CompletableFuture.supplyAsync(
                        () -> ctl("mcp", "add", "box", "--image", "me/box", "--wait"));
        awaitWatch();
        pulled("1 of 40 MB");
        ready();

        assertThat(run.get(120, TimeUnit.SECONDS).out())
                .isEqualTo(
                        "mcpserver.orloj.dev/box created\n"
                                + "mcpserver.orloj.dev/box condition met\n");
        assertThat(run.get(120, TimeUnit.SECONDS).err())
                .contains(WAITING + "Image is being pulled: 1 of 40 MB\n");
    }

    @Test
    void waitingForADryRunIsRefused() {
        CommandLineRun run =
                ctl("mcp", "add", "box", "--image", "me/box", "--wait", "--dry-run=server");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("leave out --dry-run");
    }

    @Test
    void downloadIsNamedWithoutItsSecrets() throws Exception {
        HttpServer web =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        web.createContext(
                "/",
                exchange -> {
                    byte[] bytes = MANIFEST.getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(200, bytes.length);
                    exchange.getResponseBody().write(bytes);
                    exchange.close();
                });
        web.start();
        try {
            String place = "127.0.0.1:" + web.getAddress().getPort() + "/box.json";

            assertThat(ctl("apply", "-f", "http://me:hush@" + place + "?token=hush").err())
                    .isEqualTo("Reading http://" + place + "\n");
        } finally {
            web.stop(0);
        }
    }
}
