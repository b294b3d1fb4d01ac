package dev.orloj.cli.apply;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;

import dev.orloj.api.ObjectMeta;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.core.Namespace;
import dev.orloj.api.v1.McpServer;
import dev.orloj.cli.command.CommandTest;
import dev.orloj.cli.testing.CommandLineRun;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

class ApplyCommandTest extends CommandTest {

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

    private Path write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private McpServer stored() {
        return orlojd.resources()
                .store()
                .get(McpServer.KIND, new ResourceKey("default", "everything"));
    }

    @Test
    void resourceIsCreatedThenUnchangedThenConfigured() {
        assertThat(ctlReading(MANIFEST, "apply", "-f", "-").out())
                .isEqualTo("mcpserver.orloj.dev/everything created\n");
        assertThat(ctlReading(MANIFEST, "apply", "-f", "-").out())
                .isEqualTo("mcpserver.orloj.dev/everything unchanged\n");
        assertThat(ctlReading(MANIFEST.replace("npx", "uvx"), "apply", "-f", "-").out())
                .isEqualTo("mcpserver.orloj.dev/everything configured\n");
        assertThat(stored().spec().program().command()).isEqualTo("uvx");
        assertThat(stored().metadata().generation()).isEqualTo(2);
    }

    @Test
    void whatOthersWroteIntoTheMetadataStays() {
        ctlReading(MANIFEST, "apply", "-f", "-");
        ObjectMeta metadata = stored().metadata();
        orlojd.resources()
                .store()
                .update(
                        McpServer.KIND,
                        stored().withMetadata(
                                        metadata.withFinalizer("orloj.dev/x")
                                                .withAnnotations(Map.of("note", "mine"))));

        CommandLineRun run =
                ctlReading(MANIFEST.replace("team: web", "team: db"), "apply", "-f", "-");

        assertThat(run.out()).contains("configured");
        assertThat(stored().metadata().finalizers()).containsExactly("orloj.dev/x");
        assertThat(stored().metadata().annotations()).containsEntry("note", "mine");
        assertThat(stored().metadata().labels()).containsEntry("team", "db");
    }

    @Test
    void folderIsReadInOrderWithoutHiddenParts() throws IOException {
        write("b.yml", MANIFEST.replace("everything", "second"));
        write("a/deep.yaml", MANIFEST.replace("everything", "first"));
        write(".git/x.yaml", "not: [a manifest");
        write(".hidden.yaml", "not: [a manifest");
        write("readme.txt", "hello");
        write(
                "c.json",
                """
                {"apiVersion": "v1", "kind": "List", "items": [
                  {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team"}}]}
                """);

        CommandLineRun run = ctl("apply", "-f", folder.toString());

        assertThat(run.err()).isEmpty();
        // Namespaces first: others may live in them.
        assertThat(run.out())
                .isEqualTo(
                        """
                        namespace/team created
                        mcpserver.orloj.dev/first created
                        mcpserver.orloj.dev/second created
                        """);
    }

    @Test
    @DisplayName("H-28: a file that cannot be read does not stop the others of its folder")
    void whatCannotBeReadIsReportedAndTheRestIsApplied() throws IOException {
        write("a.yaml", MANIFEST);
        Path broken = write("b.yaml", MANIFEST + "---\nfoo: [1\n");
        Path unknown =
                write(
                        "c.yaml",
                        MANIFEST.replace("everything", "second")
                                + "---\napiVersion: orloj.dev/v1\nkind: McpServr\n");
        Path foreign = write("compose.yaml", "services: {}\n");
        write("d.yaml", MANIFEST.replace("everything", "third"));
        String[][] commands = {
            {"apply", "-f", folder.toString()},
            {"validate", "-f", folder.toString()},
            {"apply", "--dry-run=client", "-f", folder.toString()},
            {"delete", "-f", folder.toString()},
        };

        for (String[] command : commands) {
            CommandLineRun run = ctl(command);

            assertThat(run.exitCode()).as(command[0]).isEqualTo(1);
            assertThat(run.out().lines().map(line -> line.replaceAll("[\"/]", " ")))
                    .hasSize(3)
                    .anyMatch(line -> line.contains(" everything "))
                    .anyMatch(line -> line.contains(" second "))
                    .anyMatch(line -> line.contains(" third "));
            assertThat(run.err())
                    .contains("orlojctl: " + broken + ", line 12: expected ',' or ']'")
                    .contains(
                            "orlojctl: %s, document 2, line 12: no kind \"McpServr\" in \"orloj.dev/v1\"; did you mean \"McpServer\"?"
                                    .formatted(unknown))
                    .contains(
                            "orlojctl: %s, document 1, line 1: \"apiVersion\" is missing"
                                    .formatted(foreign));
        }
        assertThat(ctl("apply", "-f", folder.toString()).err())
                .endsWith("orlojctl: 3 manifests of 6 could not be applied\n");
    }

    @Test
    void nothingIsAppliedWhenANamedFileIsNotThere() throws IOException {
        Path good = write("a.yaml", MANIFEST);

        CommandLineRun run = ctl("apply", "-f", good.toString(), "-f", "missing.yaml");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).isEqualTo("orlojctl: no file \"missing.yaml\"; nothing was done\n");
        assertThat(orlojd.requests()).isEmpty();
    }

    @Test
    @DisplayName("H-28: env as a map is refused with the remedy")
    void environmentAsAMapIsRefusedWithTheRemedy() {
        CommandLineRun run =
                ctlReading(MANIFEST + "  env:\n    TOKEN: \"7\"\n  args: -y\n", "apply", "-f", "-");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .contains("line 10: spec.env: ", "write a list, such as [{name: ..., value: ...}]")
                .contains("line 12: spec.args: ", "write a list, such as [\"a\", \"b\"]");
    }

    @Test
    void serverErrorsArePutDownToTheLineAndTheOthersAreApplied() throws IOException {
        Path file =
                write(
                        "two.yaml",
                        """
                        # a comment
                        apiVersion: orloj.dev/v1
                        kind: McpServer
                        metadata: {name: bad}
                        spec:
                          transport: telnet
                          args: 7
                        ---
                        """
                                + MANIFEST);

        CommandLineRun run = ctl("apply", "-f", file.toString());

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).isEqualTo("mcpserver.orloj.dev/everything created\n");
        assertThat(run.err())
                .isEqualTo(
                        """
                        orlojctl: %1$s, document 1, line 6: spec.transport: Unsupported value: "telnet": supported values: "http", "sse", "stdio"
                        orlojctl: %1$s, document 1, line 7: spec.args: Invalid value: "integer": spec.args in body must be of type array: "integer"; write a list, such as ["a", "b"]
                        orlojctl: 1 manifest of 2 could not be applied
                        """
                                .formatted(file));
    }

    @Test
    void unknownFieldIsRefusedWithItsLineUnlessConfiguredOtherwise() {
        String typo = MANIFEST.replace("command:", "comand: x\n  command:");

        CommandLineRun strict = ctlReading(typo, "apply", "-f", "-");
        CommandLineRun lax = ctlReading(typo, "apply", "-f", "-", "--validate=ignore");

        assertThat(strict.exitCode()).isEqualTo(1);
        assertThat(strict.err())
                .isEqualTo(
                        "orlojctl: stdin, document 1, line 9: unknown field \"spec.comand\"; did"
                                + " you mean \"command\"?\n");
        assertThat(lax.out()).isEqualTo("mcpserver.orloj.dev/everything created\n");
    }

    @Test
    void missingNamespaceSaysHowToMakeIt() {
        CommandLineRun run = ctlReading(MANIFEST, "apply", "-f", "-", "-n", "team");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .isEqualTo(
                        "orlojctl: stdin, document 1, line 1: namespaces \"team\" not found; create"
                                + " it with: orlojctl create namespace team\n");

        assertThat(ctl("create", "namespace", "team").out()).isEqualTo("namespace/team created\n");
        assertThat(ctlReading(MANIFEST, "apply", "-f", "-", "-n", "team").exitCode()).isZero();
    }

    @Test
    void namespaceOfManifestAndCommandLineMustAgree() {
        String elsewhere = MANIFEST.replace("metadata:", "metadata:\n  namespace: team");

        CommandLineRun run = ctlReading(elsewhere, "apply", "-f", "-", "-n", "default");

        assertThat(run.err())
                .contains(
                        "line 4: the manifest says namespace \"team\", the command line"
                                + " \"default\"");
    }

    @Test
    void dryRunsChangeNothing() {
        CommandLineRun onServer = ctlReading(MANIFEST, "apply", "-f", "-", "--dry-run=server");
        CommandLineRun onClient = ctlReading(MANIFEST, "apply", "-f", "-", "--dry-run=client");

        assertThat(onServer.out())
                .isEqualTo("mcpserver.orloj.dev/everything created (server dry run)\n");
        assertThat(onClient.out())
                .isEqualTo("mcpserver.orloj.dev/everything valid (client dry run)\n");
        assertThat(
                        orlojd.resources()
                                .store()
                                .list(McpServer.KIND, ListOptions.everything())
                                .items())
                .isEmpty();
    }

    @Test
    void unknownFieldDoesNotHideWhatElseIsWrong() {
        String wrong = MANIFEST.replace("command:", "idle_timeout: soon\n  comand: x\n  command:");

        CommandLineRun run = ctlReading(wrong, "apply", "-f", "-");

        assertThat(run.err())
                .contains("unknown field \"spec.comand\"", "spec.idle_timeout: Invalid value");
    }

    @Test
    void outputOfWhatWasAppliedCanBeAppliedAgain() {
        CommandLineRun run = ctlReading(MANIFEST, "apply", "-f", "-", "-o", "yaml");

        assertThat(run.out()).startsWith("apiVersion: orloj.dev/v1\nkind: McpServer\nmetadata:\n");
        assertThat(ctlReading(run.out(), "apply", "-f", "-").out())
                .isEqualTo("mcpserver.orloj.dev/everything unchanged\n");
    }

    @Test
    void validateNeedsNoServer() throws IOException {
        write("good.yaml", MANIFEST);
        Path bad = write("bad.yaml", MANIFEST.replace("command: npx", "foo: 1"));

        CommandLineRun run = ctl("validate", "-f", folder.toString(), "-s", "http://127.0.0.1:9");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).isEqualTo("mcpserver.orloj.dev/everything valid\n");
        assertThat(run.err())
                .contains(bad + ", document 1, line 9: unknown field \"spec.foo\"")
                .contains(bad + ", document 1, line 7: spec.command: Required value");
    }

    @Test
    @DisplayName("a label that is taken out of the manifest is removed")
    void labelThatLeftTheManifestIsRemoved() {
        ctlReading(MANIFEST, "apply", "-f", "-");

        CommandLineRun run =
                ctlReading(MANIFEST.replace("  labels:\n    team: web\n", ""), "apply", "-f", "-");

        assertThat(run.out()).isEqualTo("mcpserver.orloj.dev/everything configured\n");
        assertThat(stored().metadata().labels()).isEmpty();
    }

    @Test
    void namespaceKindNeedsNoNamespace() {
        ctlReading(
                "apiVersion: v1\nkind: Namespace\nmetadata: {name: team}\n",
                "apply",
                "-f",
                "-",
                "-n",
                "x");

        assertThat(orlojd.resources().store().find(Namespace.KIND, new ResourceKey("", "team")))
                .isPresent();
    }

    @Test
    void filesInAnotherEncodingSayWhichLineAndWhatToDo() throws IOException {
        Path latin = folder.resolve("latin.yaml");
        Files.write(latin, (MANIFEST + "  args: [caf\u00e9]\n").getBytes(ISO_8859_1));
        Path wide = folder.resolve("wide.yaml");
        Files.write(wide, MANIFEST.getBytes(UTF_16));

        assertThat(ctl("apply", "-f", latin.toString()).err())
                .isEqualTo(
                        "orlojctl: %s, line 10: byte 0xe9 is not UTF-8 text; save the file as UTF-8\n"
                                .formatted(latin));
        assertThat(ctl("apply", "-f", wide.toString()).err())
                .contains(wide + ", line 1: byte 0xfe is not UTF-8 text");
    }

    @Test
    @DisplayName("20.3: -f takes the URL of a manifest")
    void pagesAreFetched() {
        orlojd.resources().put(server("everything"));
        String page = orlojd.url() + "/apis/orloj.dev/v1/namespaces/default/mcpservers/everything";

        assertThat(ctl("apply", "-f", page).out())
                .isEqualTo("mcpserver.orloj.dev/everything configured\n");
        CommandLineRun missing = ctl("apply", "-f", orlojd.url() + "/page");
        assertThat(missing.exitCode()).isEqualTo(1);
        assertThat(missing.err()).contains("/page\": the server answered 404");
    }
}
