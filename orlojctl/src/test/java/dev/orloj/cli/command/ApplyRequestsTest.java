package dev.orloj.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.v1.McpServer;
import dev.orloj.cli.testing.CommandLineRun;
import dev.orloj.cli.testing.FakeApply;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What {@code apply} sends, in which order, and what it makes of the answers. */
class ApplyRequestsTest extends CommandTest {

    private static final ResourceKey KEY = new ResourceKey("default", "everything");

    private static final String MANIFEST =
            """
            apiVersion: orloj.dev/v1
            kind: McpServer
            metadata:
              name: everything
              labels:
                team: web
            spec:
              transport: stdio
              command: npx
            """;

    @TempDir Path folder;

    @Test
    void applyIsOneRequestWithTheFieldManager() {
        ctlReading(MANIFEST, "apply", "-f", "-", "--server-side");
        ctlReading(MANIFEST, "apply", "-f", "-", "--field-manager", "ci", "--force-conflicts");

        String path = "PATCH /apis/orloj.dev/v1/namespaces/default/mcpservers/everything";
        assertThat(orlojd.requests())
                .containsExactly(
                        path + "?fieldManager=orlojctl&fieldValidation=Strict",
                        path + "?fieldManager=ci&force=true&fieldValidation=Strict");
    }

    @Test
    void conflictsNameFieldManagerAndRemedyAndTheOthersAreApplied() throws IOException {
        Path file = folder.resolve("two.yaml");
        Files.writeString(file, MANIFEST + "---\n" + MANIFEST.replace("everything", "second"));
        orlojd.applies()
                .beforeApply(
                        name -> {
                            if (name.equals("everything")) {
                                throw FakeApply.conflict(
                                        "kubectl-edit: .spec.command",
                                        "ops: .spec.env[name=\"LOG\"].value");
                            }
                        });

        CommandLineRun run = ctl("apply", "-f", file.toString());

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).isEqualTo("mcpserver.orloj.dev/second created\n");
        assertThat(run.err())
                .isEqualTo(
                        """
                        orlojctl: %1$s, document 1, line 9: spec.command: conflict with "kubectl-edit"
                        orlojctl: %1$s, document 1, line 7: spec.env[name="LOG"].value: conflict with "ops"
                        orlojctl: a field in conflict keeps its value: leave it out of the manifest, give it the value that it has, or take it over with --force-conflicts
                        orlojctl: 1 manifest of 2 could not be applied
                        """
                                .formatted(file));
    }

    @Test
    void serverThatDoesNotSayWhatChangedIsNoLie() {
        orlojd.applies().beOld();
        ctlReading(MANIFEST, "apply", "-f", "-");

        assertThat(ctlReading(MANIFEST, "apply", "-f", "-").out())
                .isEqualTo("mcpserver.orloj.dev/everything serverside-applied\n");
    }

    @Test
    void documentsAreAppliedAtTheSameTimeAndReportedInTheirOrder() {
        CountDownLatch bothAreThere = new CountDownLatch(2);
        orlojd.applies()
                .beforeApply(
                        name -> {
                            bothAreThere.countDown();
                            requireArrival(bothAreThere);
                        });

        CommandLineRun run =
                ctlReading(
                        MANIFEST + "---\n" + MANIFEST.replace("everything", "second"),
                        "apply",
                        "-f",
                        "-");

        assertThat(run.out())
                .isEqualTo(
                        """
                        mcpserver.orloj.dev/everything created
                        mcpserver.orloj.dev/second created
                        """);
    }

    private static void requireArrival(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void secretsArriveBeforeTheServersThatNeedThem() {
        String secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: key}\n---\n";
        List<String> arrivals = new CopyOnWriteArrayList<>();
        orlojd.applies().beforeApply(arrivals::add);

        CommandLineRun run = ctlReading(MANIFEST + "---\n" + secret, "apply", "-f", "-");

        assertThat(arrivals).containsExactly("key", "everything");
        assertThat(run.out())
                .isEqualTo("mcpserver.orloj.dev/everything created\nsecret/key created\n");
    }

    @Test
    void documentsOfOneResourceAreAppliedOneAfterTheOther() {
        CommandLineRun run =
                ctlReading(MANIFEST + "---\n" + MANIFEST.replace("npx", "uvx"), "apply", "-f", "-");

        assertThat(run.out())
                .isEqualTo(
                        """
                        mcpserver.orloj.dev/everything created
                        mcpserver.orloj.dev/everything configured
                        """);
        assertThat(orlojd.resources().store().get(McpServer.KIND, KEY).spec().program().command())
                .isEqualTo("uvx");
    }

    @Test
    void warningsOfTheServerComeWithTheirResource() {
        orlojd.applies().warn("spec.timeout is \\\"1h\\\"");

        CommandLineRun run = ctlReading(MANIFEST, "apply", "-f", "-");

        assertThat(run.out()).isEqualTo("mcpserver.orloj.dev/everything created\n");
        assertThat(run.err()).isEqualTo("Warning: spec.timeout is \"1h\"\n");
    }

    @Test
    void fieldManagerThatIsTooLongIsWrongUsage() {
        CommandLineRun run =
                ctlReading(MANIFEST, "apply", "-f", "-", "--field-manager", "m".repeat(129));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--field-manager: expected at most 128 printable");
        assertThat(orlojd.requests()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--prune | say of what with --selector LABELS, --applyset NAME or --all",
                "--prune --all -l a=b | --all and --selector exclude each other",
                "--applyset=x | --applyset needs --prune",
                "--all | --all needs --prune",
                "--prune-allowlist=core/v1/ConfigMap | --prune-allowlist needs --prune",
                "--prune --applyset=x --all | leave --selector, --all and --prune-allowlist out",
                "--prune --applyset=pods/x | expected NAME, secrets/NAME or configmaps/NAME",
                "--prune --applyset=secrets/ | expected NAME, secrets/NAME or configmaps/NAME",
                "--prune --all --prune-allowlist=Tool | expected GROUP/VERSION/KIND",
                "--prune --all --prune-allowlist=v1/Pod | expected GROUP/VERSION/KIND",
                "--prune --all --dry-run=client | use --dry-run=server",
            })
    void optionsOfPruningThatMakeNoSenseAreWrongUsage(String options, String why) {
        List<String> line = new ArrayList<>(List.of("apply", "-f", "-"));
        line.addAll(List.of(options.split(" ")));

        CommandLineRun run = ctlReading(MANIFEST, line.toArray(String[]::new));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains(why);
        assertThat(orlojd.requests()).isEmpty();
    }

    @Test
    void selectorWithoutAManifestDoesNothing() {
        CommandLineRun run = ctlReading(MANIFEST, "apply", "-f", "-", "-l", "team=db");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .isEqualTo("orlojctl: no manifest has the labels \"team=db\"; nothing was done\n");
        assertThat(ctlReading(MANIFEST, "apply", "-f", "-", "-l", "team in (db,web)").out())
                .isEqualTo("mcpserver.orloj.dev/everything created\n");
    }
}
