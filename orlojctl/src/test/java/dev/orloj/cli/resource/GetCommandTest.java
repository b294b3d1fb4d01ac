package dev.orloj.cli.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.core.Namespace;
import dev.orloj.api.testing.ManualClock;
import dev.orloj.api.v1.McpServer;
import dev.orloj.cli.Orlojctl;
import dev.orloj.cli.command.CommandTest;
import dev.orloj.cli.output.Console;
import dev.orloj.cli.testing.CommandLineRun;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

class GetCommandTest extends CommandTest {

    @BeforeEach
    void fill() {
        orlojd.resources().put(server("everything"));
        orlojd.resources().put(failing("remote"));
        orlojd.resources().put(tool("everything", "echo", "{}"));
        clock.advance(Duration.ofMinutes(5));
    }

    @Test
    void tableShowsTheColumnsOfTheServer() throws IOException {
        assertGolden("get-table.txt", ctl("get", "mcpservers").out());
    }

    @Test
    void wideTableShowsMore() throws IOException {
        assertGolden("get-wide.txt", ctl("get", "mcpservers", "-o", "wide").out());
    }

    @Test
    void severalKindsAreShownBelowEachOther() throws IOException {
        assertGolden("get-all.txt", ctl("get", "all").out());
    }

    @Test
    void yamlShowsTheWholeResource() throws IOException {
        assertGolden("get-yaml.txt", ctl("get", "mcp", "everything", "-o", "yaml").out());
    }

    @Test
    void valuesOfSecretsAreMaskedUnlessAskedFor() {
        ctl("create", "secret", "key", "--from-literal", "value=hunter2");

        String masked = ctl("get", "secret", "key", "-o", "yaml").out();

        assertThat(masked).contains("value: '***'").doesNotContain("aHVudGVyMg");
        assertThat(ctl("get", "secrets", "-o", "json").out()).doesNotContain("aHVudGVyMg");
        assertThat(ctl("describe", "secret", "key").out()).doesNotContain("aHVudGVyMg");
        assertThat(ctl("get", "secret", "key", "-o", "yaml", "--show-values").out())
                .contains("value: aHVudGVyMg==");
    }

    @Test
    void jsonOfSeveralIsAList() throws IOException {
        CommandLineRun run = ctl("get", "mcp", "-o", "json");

        assertThat(run.out()).startsWith("{\n    \"apiVersion\": \"v1\",\n    \"kind\": \"List\",");
        assertThat(ctlReading(run.out(), "apply", "-f", "-", "--dry-run=client").exitCode())
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mcp",
                "mcps",
                "mcpserver",
                "mcpservers",
                "mcp-servers",
                "mcp-server",
                "McpServer",
                "mcpservers.orloj.dev",
                "mcpserver.orloj.dev"
            })
    void everySpellingOfAKindIsUnderstood(String kind) {
        assertThat(ctl("get", kind, "-o", "name").out())
                .isEqualTo("mcpserver.orloj.dev/everything\nmcpserver.orloj.dev/remote\n");
    }

    @Test
    void namesAreShownInTheOrderInWhichTheyAreGiven() {
        CommandLineRun run = ctl("get", "mcp/remote", "tool/everything--echo", "-o", "name");

        assertThat(run.out())
                .isEqualTo("mcpserver.orloj.dev/remote\ntool.orloj.dev/everything--echo\n");
    }

    @Test
    void missingNameIsReportedAndTheOthersAreShown() {
        CommandLineRun run = ctl("get", "mcp", "nope", "remote", "--no-headers");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).startsWith("remote ").hasLineCount(1);
        assertThat(run.err()).isEqualTo("orlojctl: mcpservers.orloj.dev \"nope\" not found\n");
    }

    @Test
    void emptyNamespaceIsReportedOnStderr() {
        orlojd.resources().store().create(Namespace.KIND, Namespace.of("other"));
        CommandLineRun run = ctl("get", "mcp", "-n", "other");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).isEqualTo("No resources found in other namespace.\n");
        assertThat(ctl("get", "clusterroles").err()).isEqualTo("No resources found\n");
        assertThat(ctl("get", "sandboxes", "-A").err()).isEqualTo("No resources found\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "get mcp | No resources found in defualt namespace.",
                "mcp list | No resources found in defualt namespace.",
                "describe mcp | No resources found in defualt namespace.",
                "delete mcp --all | No resources found",
                "label mcp --all a=b | No resources found",
                "events | No events found.",
            })
    void namespaceThatDoesNotExistIsNamedInALineOfItsOwn(String line, String first) {
        CommandLineRun run = ctl((line + " -n defualt").split(" "));

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .isEqualTo(
                        first
                                + "\norlojctl: namespaces \"defualt\" not found; did you mean"
                                + " \"default\"?\n");
    }

    @Test
    void selectorsAreTheServersToUnderstand() {
        assertThat(ctl("get", "mcp", "-l", "team in (web, db)", "-o", "name").out())
                .isEqualTo("mcpserver.orloj.dev/everything\n");
        assertThat(ctl("get", "tools", "--field-selector", "spec.agent_name=x").out()).isEmpty();
        assertThat(ctl("get", "mcp", "-l", "a b").err()).contains("unable to parse labelSelector");
    }

    @Test
    void allNamespacesAddsAColumn() {
        assertThat(ctl("get", "mcp", "-A").out()).startsWith("NAMESPACE   NAME ");
        assertThat(ctl("get", "mcp", "-A").out()).contains("default     everything ");
    }

    @Test
    void longListsAreFetchedInPages() {
        for (int i = 0; i < 1_100; i++) {
            orlojd.resources().put(tool("bulk", "t%04d".formatted(i), "{}"));
        }

        CommandLineRun run = ctl("get", "tools", "-l", "orloj.dev/mcp-server=bulk", "--no-headers");

        assertThat(run.out()).hasLineCount(1_100);
        assertThat(orlojd.requests()).hasSize(3).last().asString().contains("continue=");
    }

    @Test
    void escapeSequencesOfAStrangerAreShownAsText() {
        orlojd.resources().put(tool("evil", "x", "{}").replace("Does", "\\u001b[2JDoes"));

        assertThat(ctl("get", "tool", "evil--x", "-o", "wide").out())
                .doesNotContain("\u001b")
                .contains("\\u001b[2JDoes x");
    }

    @Test
    void watchShowsEveryChangeAcrossACut() throws Exception {
        StringBuffer seen = new StringBuffer();
        CompletableFuture<Integer> watch =
                CompletableFuture.supplyAsync(
                        () -> run(seen, 3, clock, "get", "mcp", "-w", "-o", "name"));
        await().until(() -> orlojd.requests().stream().anyMatch(r -> r.contains("watch=true")));

        orlojd.resources().put(server("first"));
        await().until(() -> seen.toString().contains("first"));
        orlojd.resources().store().cutWatches();
        orlojd.resources().put(server("second"));
        orlojd.resources()
                .store()
                .delete(
                        McpServer.KIND,
                        new ResourceKey("default", "remote"),
                        DeleteOptions.UNCONDITIONAL);

        assertThat(watch.get()).isZero();
        // Each server was created, then given a status.
        assertThat(seen.toString())
                .isEqualTo(
                        """
                        mcpserver.orloj.dev/first
                        mcpserver.orloj.dev/first
                        mcpserver.orloj.dev/second
                        """);
    }

    @Test
    void watchStartsOverWhenTheServerForgot() {
        StringBuffer seen = new StringBuffer();
        CompletableFuture<Integer> watch =
                CompletableFuture.supplyAsync(() -> run(seen, 5, clock, "get", "mcp", "-w"));
        await().until(() -> orlojd.requests().stream().anyMatch(r -> r.contains("watch=true")));

        orlojd.resources().put(server("late"));
        orlojd.resources().store().compact();
        orlojd.resources().store().cutWatches();
        orlojd.resources().put(server("later"));

        assertThat(watch.join()).isZero();
        assertThat(seen.toString()).contains("everything", "remote");
    }

    /** Runs a command whose reader leaves after some lines, as {@code | head} does. */
    private int run(StringBuffer seen, int lines, ManualClock now, String... args) {
        AtomicInteger left = new AtomicInteger(lines);
        OutputStream pipe =
                new OutputStream() {
                    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

                    @Override
                    public void write(int b) throws IOException {
                        if (left.get() <= 0) {
                            throw new IOException("Broken pipe");
                        }
                        line.write(b);
                        if (b == '\n') {
                            seen.append(line.toString(StandardCharsets.UTF_8));
                            line.reset();
                            left.decrementAndGet();
                        }
                    }
                };
        Console console =
                new Console(
                        InputStream.nullInputStream(),
                        new PrintStream(pipe, false, StandardCharsets.UTF_8),
                        new PrintStream(OutputStream.nullOutputStream()),
                        Map.of("ORLOJ_SERVER", orlojd.url()),
                        now);
        return Orlojctl.run(console, args);
    }
}
