package dev.orloj.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.client.Propagation;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerStatus;
import dev.orloj.cli.testing.CommandLineRun;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

class DeleteAndWaitTest extends CommandTest {

    private static final ResourceKey KEY = new ResourceKey("default", "everything");

    private McpServer stored() {
        return orlojd.resources().store().get(McpServer.KIND, KEY);
    }

    private void awaitWatch() {
        await().until(() -> orlojd.requests().stream().anyMatch(r -> r.contains("watch=true")));
    }

    private CompletableFuture<CommandLineRun> start(String... args) {
        return CompletableFuture.supplyAsync(() -> ctl(args));
    }

    /** Another resource of the name; no watch of the first one learns of that. */
    private void replaceUnseen() {
        orlojd.resources().beforeWatch(() -> {});
        orlojd.resources().store().delete(McpServer.KIND, KEY, DeleteOptions.UNCONDITIONAL);
        orlojd.resources().put(server("everything"));
        orlojd.resources().store().compact();
    }

    private static String held(String name) {
        return server(name)
                .replace("\"labels\"", "\"finalizers\": [\"orloj.dev/sessions\"], \"labels\"");
    }

    private static String generated(String server, String tool) {
        return tool(server, tool, "{\"type\": \"object\"}")
                .replace(
                        "\"labels\"",
                        """
                        "ownerReferences": [{"apiVersion": "orloj.dev/v1", "kind": "McpServer",
                         "name": "everything", "uid": "u", "controller": true}], "labels\"\
                        """);
    }

    private void setStatus(McpServerStatus status) {
        orlojd.resources().store().updateStatus(McpServer.KIND, stored().withStatus(status));
    }

    @Test
    void deleteWaitsUntilFinalizersAreDone() throws Exception {
        orlojd.resources().put(server("everything"));
        McpServer held = stored();
        orlojd.resources()
                .store()
                .update(
                        McpServer.KIND,
                        held.withMetadata(held.metadata().withFinalizer("orloj.dev/sessions")));

        CompletableFuture<CommandLineRun> run = start("delete", "mcp", "everything");
        awaitWatch();
        assertThat(run).isNotDone();
        orlojd.resources()
                .store()
                .update(
                        McpServer.KIND,
                        stored().withMetadata(
                                        stored().metadata()
                                                .withoutFinalizer("orloj.dev/sessions")));

        assertThat(run.get().out()).isEqualTo("mcpserver.orloj.dev \"everything\" deleted\n");
        assertThat(run.get().exitCode()).isZero();
    }

    @Test
    void deleteSaysWhatBecomesOfDependents() {
        orlojd.resources().put(server("everything"));

        ctl("delete", "mcp", "everything", "--cascade", "orphan", "--wait=false");
        CommandLineRun unknown = ctl("delete", "mcp", "everything", "--cascade", "all");

        assertThat(stored().metadata().finalizers()).containsExactly(Propagation.ORPHAN_FINALIZER);
        assertThat(unknown.err())
                .contains("--cascade \"all\": expected background, foreground or orphan");
    }

    @Test
    void deleteReportsWhatIsMissingAndGoesOn() {
        orlojd.resources().put(server("a"));

        CommandLineRun run = ctl("delete", "mcp", "nope", "a");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).isEqualTo("mcpserver.orloj.dev \"a\" deleted\n");
        assertThat(run.err()).isEqualTo("orlojctl: mcpservers.orloj.dev \"nope\" not found\n");
        assertThat(ctl("delete", "mcp", "nope", "--ignore-not-found").exitCode()).isZero();
    }

    @Test
    void deleteTakesManifestsSelectorsAndAll() {
        for (String name : List.of("a", "b", "c", "d")) {
            orlojd.resources().put(server(name));
        }
        orlojd.resources().put(failing("e"));

        assertThat(ctlReading(server("a"), "delete", "-f", "-").out())
                .isEqualTo("mcpserver.orloj.dev \"a\" deleted\n");
        assertThat(ctl("delete", "mcp", "-l", "team=web").out()).hasLineCount(3);
        assertThat(ctl("delete", "mcp", "--all").out())
                .isEqualTo("mcpserver.orloj.dev \"e\" deleted\n");
        assertThat(
                        orlojd.resources()
                                .store()
                                .list(McpServer.KIND, ListOptions.everything())
                                .items())
                .isEmpty();
    }

    /** The garbage collector deletes Tools with their server. */
    @Test
    void deleteOfAllAcceptsThatOthersDeleteMeanwhile() {
        orlojd.resources().put(server("a"));
        orlojd.resources().put(server("b"));
        orlojd.resources()
                .afterDelete(
                        () ->
                                orlojd.resources()
                                        .store()
                                        .delete(
                                                McpServer.KIND,
                                                new ResourceKey("default", "b"),
                                                DeleteOptions.UNCONDITIONAL));

        CommandLineRun run = ctl("delete", "mcp", "--all");

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).isEqualTo("mcpserver.orloj.dev \"a\" deleted\n");
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void deleteOfAKindNeedsToBeMeant() {
        CommandLineRun run = ctl("delete", "mcp");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("delete needs names, -l LABELS or --all");
    }

    @Test
    void waitEndsWithTheCondition() throws Exception {
        orlojd.resources().put(server("everything"));
        McpServerStatus ready = stored().status();
        setStatus(McpServerStatus.EMPTY);

        CompletableFuture<CommandLineRun> run =
                start("wait", "mcp/everything", "--for", "condition=ready", "--timeout", "60");
        awaitWatch();
        setStatus(ready);

        assertThat(run.get().out()).isEqualTo("mcpserver.orloj.dev/everything condition met\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "condition=Ready",
                "condition=Ready=True",
                "jsonpath={.status.phase}=Ready",
                "{.status.phase}=Ready",
                "jsonpath='{.status.phase}'=Ready",
                "{.status.conditions[1].reason}=\"Synced\"",
                "{.status.lastSyncedAt}",
                "{.status.conditions[?(@.type==\"Ready\")].reason}=Synced",
                "jsonpath={.status.conditions[?(@.type==\"Ready\")].status}",
            })
    void waitUnderstandsGoals(String goal) {
        orlojd.resources().put(server("everything"));

        CommandLineRun run = ctl("wait", "mcp", "everything", "--for", goal.replace("'", ""));

        assertThat(run.out() + run.err())
                .isEqualTo("mcpserver.orloj.dev/everything condition met\n");
    }

    @Test
    void waitThatTimesOutSaysWhy() {
        orlojd.resources().put(failing("remote"));

        CommandLineRun condition =
                ctl("wait", "mcp/remote", "--for", "condition=Ready", "--timeout=0");
        CommandLineRun field =
                ctl("wait", "mcp/remote", "--for", "{.status.phase}=Ready", "--timeout=0");

        assertThat(condition.exitCode()).isEqualTo(4);
        assertThat(condition.err())
                .isEqualTo(
                        "orlojctl: timed out waiting for condition=Ready of"
                                + " mcpserver.orloj.dev/remote: Ready is False (ConnectFailed):"
                                + " connection refused\n");
        assertThat(field.err()).contains("{.status.phase}=Ready", ": .status.phase is Error");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {.status.conditions[9].reason}=Synced                 | it has no .status.conditions[9].reason
                    {.status.conditions[?(@.type=="Nope")].reason}=Synced | it has no .status.conditions[?(@.type=="Nope")].reason
                    {.status.conditions[*].type}=Ready                    | leads to several values
                    """)
    void waitForAFieldThatIsNotThereSaysSo(String goal, String why) {
        orlojd.resources().put(server("everything"));

        assertThat(ctl("wait", "mcp/everything", "--for", goal, "--timeout=0").err()).contains(why);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{.status.phase", "{.status[}=x", "{.a[?(@.b==}=x", "{}"})
    void pathThatIsMalformedIsRefusedAtOnce(String goal) {
        CommandLineRun run = ctl("wait", "mcp/everything", "--for", goal);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--for");
    }

    @Test
    void conditionOfAnOlderGenerationDoesNotCount() {
        orlojd.resources().put(server("everything"));
        ctlReading(server("everything").replace("npx", "uvx"), "apply", "-f", "-");

        assertThat(
                        ctl("wait", "mcp/everything", "--for", "condition=Ready", "--timeout=0")
                                .exitCode())
                .isEqualTo(4);
    }

    @Test
    void waitForDeletionOfWhatIsNotThereIsOver() {
        assertThat(ctl("wait", "mcp/nope", "--for", "delete").exitCode()).isZero();
    }

    @Test
    void waitForAConditionOfWhatIsNotThereFails() {
        CommandLineRun run = ctl("wait", "mcp/nope", "--for", "condition=Ready");

        assertThat(run.err()).isEqualTo("orlojctl: mcpservers.orloj.dev \"nope\" not found\n");
    }

    @Test
    void waitGivesUpWhenTheTimeIsUp() {
        orlojd.resources().put(failing("remote"));
        CompletableFuture<CommandLineRun> run =
                start("wait", "mcp/remote", "--for", "condition=Ready", "--timeout", "1h");
        awaitWatch();

        clock.advance(Duration.ofHours(2));
        // The watch opens only after its request was recorded.
        await().until(
                        () -> {
                            orlojd.resources().store().cutWatches();
                            return run.isDone();
                        });

        assertThat(run.join().exitCode()).isEqualTo(4);
    }

    @Test
    @Timeout(30)
    @DisplayName("H-10: delete ends although a controller creates the resource again")
    void deleteEndsWhenTheResourceIsCreatedAgain() {
        String tool = generated("everything", "echo");
        orlojd.resources().put(tool);
        orlojd.resources().afterDelete(() -> orlojd.resources().put(tool));

        CommandLineRun run = ctl("delete", "tool", "everything--echo");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).isEqualTo("tool.orloj.dev \"everything--echo\" deleted\n");
        assertThat(run.err())
                .isEqualTo(
                        "Warning: tool.orloj.dev \"everything--echo\" was created again by its"
                                + " owner, McpServer \"everything\"\n");
    }

    @Test
    @Timeout(30)
    @DisplayName("H-10: wait --for delete ends although a controller creates the resource again")
    void waitForDeletionEndsWhenTheResourceIsCreatedAgain() {
        orlojd.resources().put(server("everything"));
        orlojd.resources().beforeWatch(this::replaceUnseen);

        CommandLineRun run = ctl("wait", "mcp/everything", "--for", "delete", "--timeout", "1h");

        assertThat(run.out()).isEqualTo("mcpserver.orloj.dev/everything deleted\n");
        assertThat(run.exitCode()).isZero();
    }

    @Test
    @Timeout(30)
    @DisplayName("H-10: restart --wait does not take a new resource of the name for the old one")
    void restartOfAServerThatIsCreatedAgainFails() {
        orlojd.resources().put(server("everything"));
        orlojd.resources().beforeWatch(this::replaceUnseen);

        CommandLineRun run = ctl("restart", "mcp/everything", "--wait", "--timeout", "1h");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("mcpserver.orloj.dev/everything was deleted meanwhile");
    }

    @Test
    @DisplayName("H-10: delete --timeout reports every resource that is still there")
    void deleteThatTimesOutReportsAllThatIsLeft() {
        for (String name : List.of("a", "b")) {
            orlojd.resources().put(held(name));
        }

        orlojd.resources().afterDelete(() -> clock.advance(Duration.ofMinutes(1)));

        CommandLineRun run = ctl("delete", "mcp", "a", "b", "--timeout", "1s");

        assertThat(run.exitCode()).isEqualTo(4);
        assertThat(run.err())
                .isEqualTo(
                        """
                        orlojctl: timed out waiting for mcpserver.orloj.dev "a" to be gone: \
                        it is held by finalizers ["orloj.dev/sessions"]
                        orlojctl: timed out waiting for mcpserver.orloj.dev "b" to be gone: \
                        it is held by finalizers ["orloj.dev/sessions"]
                        """);
    }

    @Test
    @DisplayName("H-28: wait --for delete blames no finalizers of a resource that nothing deletes")
    void waitForDeletionOfWhatNothingDeletesSaysSo() {
        orlojd.resources().put(held("a"));

        CommandLineRun run = ctl("wait", "mcp/a", "--for", "delete", "--timeout", "0");

        assertThat(run.exitCode()).isEqualTo(4);
        assertThat(run.err())
                .contains("delete of mcpserver.orloj.dev/a: it is not being deleted")
                .doesNotContain("finalizers");
    }

    @Test
    void deletionOfWhatNeverExistedIsOverWithoutALineAsWithKubectl() {
        for (String line : List.of("mcp/nope", "mcp --all")) {
            CommandLineRun run = ctl(("wait " + line + " --for delete").split(" "));

            assertThat(run).isEqualTo(new CommandLineRun(0, "", ""));
        }
        assertThat(ctl("wait", "mcp", "--all", "--for", "condition=Ready").exitCode()).isEqualTo(1);
    }

    @Test
    @Timeout(30)
    void waitOutlastsAServerThatRestarts() {
        orlojd.resources().put(server("everything"));
        AtomicInteger watches = new AtomicInteger();
        orlojd.resources()
                .beforeWatch(
                        () -> {
                            if (watches.incrementAndGet() <= 2) {
                                throw new ApiException(
                                        ErrorReason.SERVICE_UNAVAILABLE, "orlojd is stopping");
                            }
                            orlojd.resources()
                                    .store()
                                    .delete(McpServer.KIND, KEY, DeleteOptions.UNCONDITIONAL);
                        });

        CommandLineRun run = ctl("wait", "mcp/everything", "--for", "delete", "--timeout", "1h");

        assertThat(run.out()).isEqualTo("mcpserver.orloj.dev/everything deleted\n");
        assertThat(run.err()).doesNotContain("orlojctl: ");
    }
}
