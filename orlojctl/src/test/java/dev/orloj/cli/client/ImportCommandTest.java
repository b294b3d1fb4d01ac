package dev.orloj.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.testing.ManualClock;
import dev.orloj.cli.testing.CommandLineRun;
import dev.orloj.cli.testing.FakeApply;
import dev.orloj.cli.testing.FakeOrlojd;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

@Timeout(60)
@DisplayName("issue 20, item 1: import")
class ImportCommandTest {

    @TempDir private Path home;
    private final ManualClock clock = new ManualClock();
    private final FakeOrlojd orlojd = new FakeOrlojd(clock);

    @AfterEach
    void stop() {
        orlojd.close();
    }

    private CommandLineRun ctl(String... args) {
        return ctlReading("", args);
    }

    private CommandLineRun ctlReading(String stdin, String... args) {
        return CommandLineRun.of(
                clock, Map.of("HOME", home.toString(), "ORLOJ_SERVER", orlojd.url()), stdin, args);
    }

    private String write(String name, String text) throws IOException {
        Path file = home.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        return file.toString();
    }

    private static String servers(String entries) {
        return "{\"mcpServers\": {" + entries + "}}";
    }

    @Test
    void wrongEntriesAreReportedAndSkipped() throws IOException {
        String file =
                write(
                        "x/mcp.json",
                        servers(
                                "\"good\": {\"command\": \"a\"}, \"bad\": {\"args\": []}, \"ws\":"
                                        + " {\"type\": \"ws\", \"url\": \"ws://x\"}, \"!!\":"
                                        + " {\"command\": \"a\"}, \"list\": 5"));

        CommandLineRun run = ctl("import", file);

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).isEqualTo("mcpserver.orloj.dev/good created\n");
        assertThat(run.err())
                .contains("mcpServers.bad: there is neither a command nor a url")
                .contains("mcpServers.ws: type \"ws\": Orloj runs stdio, http and sse")
                .contains("mcpServers.!!: name \"!!\"")
                .contains("mcpServers.list: expected an object");
    }

    @Test
    void strictImportsNothingIfAnEntryIsWrong() throws IOException {
        String file = write("x/mcp.json", servers("\"good\": {\"command\": \"a\"}, \"bad\": 5"));

        CommandLineRun run = ctl("import", file, "--strict");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("mcpServers.bad", "because of --strict");
        assertThat(orlojd.requests()).isEmpty();
    }

    @Test
    void unreadableFilesNameFileLineAndRemedy() throws IOException {
        assertThat(ctl("import", write("a/mcp.json", "{\n\"mcpServers\": {\n,}}")).err())
                .contains("a/mcp.json, line 3: ", "correct the file");
        assertThat(ctl("import", write("a/other.json", "{\"x\": 1}")).err())
                .contains("lists no servers: it has none of mcpServers");
        assertThat(ctl("import", write("a/deep.json", "{\"mcpServers\":".repeat(300))).exitCode())
                .isEqualTo(1);
        assertThat(ctl("import", home.resolve("none.json").toString()).err())
                .contains("no file", "nothing was done");
        Files.write(home.resolve("latin.json"), new byte[] {'{', (byte) 0xe4, '}'});
        assertThat(ctl("import", home.resolve("latin.json").toString()).err())
                .contains("is not UTF-8 text");
        StringBuilder many = new StringBuilder("\"s0\": {\"command\": \"a\"}");
        for (int i = 1; i <= 1_000; i++) {
            many.append(", \"s").append(i).append("\": {\"command\": \"a\"}");
        }
        assertThat(ctl("import", write("a/many.json", servers(many.toString()))).err())
                .contains("has 1001 entries; at most 1000 are read");
        assertThat(orlojd.requests()).isEmpty();
    }

    @Test
    void secretsAreKeptWhereTheUserWants() throws IOException {
        String file =
                write(
                        "x/mcp.json",
                        servers("\"a\": {\"command\": \"a\", \"env\": {\"API_KEY\": \"hush\"}}"));

        assertThat(ctl("import", file, "-o", "yaml", "--secrets=inline").out())
                .contains("value: hush")
                .doesNotContain("kind: Secret");
        CommandLineRun failed = ctl("import", file, "--secrets=fail");
        assertThat(failed.exitCode()).isEqualTo(1);
        assertThat(failed.err())
                .contains("mcpServers.a: API_KEY is a secret")
                .contains("--secrets=create")
                .doesNotContain("hush");
        assertThat(orlojd.requests()).isEmpty();
        assertThat(ctl("import", file, "--secrets=create").out())
                .contains("secret.orloj.dev/a-credentials created");
    }

    @Test
    void wrongEntryThatStaysAfterAMoveIsNoFailure() throws IOException {
        write(".cursor/mcp.json", servers("\"a\": {\"command\": \"a\"}, \"bad\": 5"));
        assertThat(ctl("import", "--discover", "--move").exitCode()).isZero();

        CommandLineRun again = ctl("import", "--discover", "--move");

        assertThat(again.exitCode()).as(again.err()).isZero();
        assertThat(again.err()).contains("mcpServers.bad");
        assertThat(again.out()).isEmpty();
    }

    @Test
    void orlojItselfIsLeftOut() throws IOException {
        String file =
                write(
                        "x/mcp.json",
                        servers(
                                ("\"o1\": {\"command\": \"/opt/bin/orlojctl\", \"args\":"
                                     + " [\"mcp\"]}, \"o2\": {\"url\": \"%s/mcp/default\"}, \"o3\":"
                                     + " {\"command\": \"npx\", \"args\": [\"mcp-remote\","
                                     + " \"%s/mcp\"]}, \"o4\": {\"url\":"
                                     + " \"http://localhost:1/mcp\"}")
                                        .formatted(
                                                orlojd.url(),
                                                orlojd.url().replace("127.0.0.1", "localhost"))));

        CommandLineRun run = ctl("import", file);

        assertThat(run.out()).isEqualTo("mcpserver.orloj.dev/o4 created\n");
        assertThat(run.err().lines()).hasSize(3).allMatch(l -> l.endsWith("it is Orloj itself"));
    }

    @Test
    void sameServerOfTwoFilesIsOneAndAnotherOfThatNameIsASecond() throws IOException {
        String same = servers("\"a\": {\"command\": \"a\"}");
        String one = write("one/.cursor/mcp.json", same);
        String two = write("two/mcp.json", same);
        String other = write("three/.cursor/mcp.json", servers("\"a\": {\"command\": \"b\"}"));

        assertThat(ctl("import", one, two, other).out())
                .isEqualTo("mcpserver.orloj.dev/a created\nmcpserver.orloj.dev/a-cursor created\n");
    }

    @Test
    void serverOfAnotherManagerIsNotOverwritten() throws IOException {
        String mine = write("x/mcp.json", servers("\"a\": {\"command\": \"mine\"}"));
        String theirs = write("y/mcp.json", servers("\"a\": {\"command\": \"theirs\"}"));
        ctl("import", theirs);
        orlojd.applies()
                .beforeApply(
                        _ -> {
                            throw FakeApply.conflict("orlojctl import y/mcp.json: .spec.command");
                        });

        CommandLineRun run = ctl("import", mine, "--move");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("x/mcp.json, mcpServers.a: ", "--force-conflicts");
        assertThat(Path.of(mine)).content().contains("mine");
    }

    @Test
    void dryRunsChangeNothing() throws IOException {
        String file = write("x/mcp.json", servers("\"a\": {\"command\": \"a\"}"));

        assertThat(ctl("import", file, "--dry-run=client").out())
                .isEqualTo("mcpserver.orloj.dev/a valid (client dry run)\n");
        assertThat(orlojd.requests()).isEmpty();
        CommandLineRun run = ctl("import", file, "--move", "--dry-run=server");

        assertThat(run.out())
                .contains("mcpserver.orloj.dev/a created (server dry run)")
                .contains("changed: 1 of its servers are in Orloj (dry run)");
        assertThat(Path.of(file)).content().contains("\"command\": \"a\"");
        assertThat(ctl("client", "restore").err()).isEqualTo("No file is changed.\n");
    }

    @Test
    void standardInputIsImported() {
        assertThat(ctlReading(servers("\"a\": {\"command\": \"a\"}"), "import", "-").out())
                .isEqualTo("mcpserver.orloj.dev/a created\n");
        assertThat(ctlReading("mcpServers: {b: {command: b}}", "apply", "-f", "-").out())
                .isEqualTo("mcpserver.orloj.dev/b created\n");
    }

    @Test
    void moveKeepsPermissionsAndLinks() throws IOException {
        Path real = Path.of(write("dotfiles/mcp.json", servers("\"a\": {\"command\": \"a\"}")));
        Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rw-r-----"));
        Path link = home.resolve(".cursor/mcp.json");
        Files.createDirectories(link.getParent());
        Files.createSymbolicLink(link, real);

        assertThat(ctl("import", link.toString(), "--move").exitCode()).isZero();

        assertThat(link).isSymbolicLink();
        assertThat(real).content().contains("orloj");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(real)))
                .isEqualTo("rw-r-----");
        assertThat(home.resolve(".local/state/orloj/clients"))
                .satisfies(
                        dir ->
                                assertThat(Files.getPosixFilePermissions(dir))
                                        .isEqualTo(PosixFilePermissions.fromString("rwx------")));
    }

    @Test
    void fileThatTheClientHasRewrittenGetsItsServersBack() throws IOException {
        String file =
                write(
                        ".claude.json",
                        "{\"n\": 1, \"mcpServers\": {\"a\": {\"command\": \"a\"}, \"b\": {\"url\":"
                                + " \"http://b/\"}}}");
        ctl("import", file, "--move");
        Files.writeString(
                Path.of(file),
                Files.readString(Path.of(file)).replace("\"n\": 1", "\"n\": 2, \"new\": true"));

        CommandLineRun run = ctl("client", "restore");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("has its servers back");
        assertThat(Path.of(file))
                .content()
                .contains("\"n\": 2, \"new\": true", "\"a\": {\"command\": \"a\"}", "http://b/")
                .doesNotContain("orloj");
        assertThat(ctl("client", "restore").err()).isEqualTo("No file is changed.\n");
    }

    @Test
    void textThatForceReplacesIsKeptForItsOwnerOnly() throws IOException {
        Path file = Path.of(write("x/mcp.json", servers("\"a\": {\"command\": \"a\"}")));
        String original = Files.readString(file);
        Path kept = Path.of(write("x/mcp.json.changed", "an earlier one"));
        ctl("import", file.toString(), "--move");
        Files.writeString(file, "{\"rewritten\": true}");

        CommandLineRun run = ctl("client", "restore", "--force");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(file).content().isEqualTo(original);
        assertThat(kept).content().isEqualTo("{\"rewritten\": true}");
        assertThat(Files.getPosixFilePermissions(kept))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void twoMovesOfAFileAreTakenBackInTurn() throws IOException {
        Path file = Path.of(write("x/mcp.json", servers("\"a\": {\"command\": \"a\"}")));
        String first = Files.readString(file);
        ctl("import", file.toString(), "--move");
        Files.writeString(
                file,
                Files.readString(file)
                        .replaceFirst("\\}\\}\\s*$", ", \"b\": {\"command\": \"b\"}}}"));
        ctl("import", file.toString(), "--move");

        CommandLineRun run = ctl("client", "restore", file.toString());

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(file).content().contains("\"b\"", "\"a\"").doesNotContain("orloj");
        assertThat(first).contains("\"a\"");
    }

    @Test
    void bundleIsUnpackedAndStaysInItsFolder() throws IOException {
        Path bundle = home.resolve("tool.mcpb");
        zip(
                bundle,
                Map.of(
                        "manifest.json",
                        "{\"manifest_version\": \"0.3\", \"name\": \"tool\", \"version\": \"1.2\","
                            + " \"server\": {\"type\": \"binary\", \"mcp_config\": {\"command\":"
                            + " \"${__dirname}/run\"}}}",
                        "run",
                        "#!/bin/sh\n"));

        CommandLineRun run = ctl("import", bundle.toString());

        assertThat(run.out()).isEqualTo("mcpserver.orloj.dev/tool created\n");
        assertThat(home.resolve(".local/share/orloj/bundles/tool-1.2/run")).isExecutable();
        Path evil = home.resolve("evil.mcpb");
        zip(evil, Map.of("manifest.json", "{\"name\": \"evil\"}", "../../out", "x"));
        assertThat(ctl("import", evil.toString()).err())
                .contains("\"../../out\" would be outside of its folder");
        assertThat(home.resolve(".local/share/orloj/out")).doesNotExist();
    }

    private static void zip(Path file, Map<String, String> entries) throws IOException {
        try (OutputStream out = Files.newOutputStream(file);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            for (String name : new ArrayList<>(entries.keySet()).stream().sorted().toList()) {
                zip.putNextEntry(new ZipEntry(name));
                zip.write(entries.get(name).getBytes(StandardCharsets.UTF_8));
                zip.closeEntry();
            }
        }
    }

    @Test
    void discoverFindsTheFilesOfAllClients() throws IOException {
        write(".cursor/mcp.json", servers("\"a\": {\"command\": \"a\"}"));
        write(".codex/config.toml", "[mcp_servers.b]\ncommand = \"b\"\n");
        write(".gemini/settings.json", "{\"theme\": \"x\"}");
        write(".continue/mcpServers/c.yaml", "mcpServers:\n  - {name: c, command: c}\n");

        CommandLineRun run = ctl("import", "--discover");

        assertThat(run.out().lines())
                .containsExactly(
                        "mcpserver.orloj.dev/a created",
                        "mcpserver.orloj.dev/b created",
                        "mcpserver.orloj.dev/c created");
        assertThat(run.err())
                .contains(".cursor/mcp.json (cursor): 1", ".codex/config.toml (codex): 1")
                .doesNotContain("gemini");
        assertThat(ctl("import", "--discover", "--client", "codex").out())
                .isEqualTo("mcpserver.orloj.dev/b unchanged\n");
    }

    @Test
    void wrongUsageIsExplained() {
        for (List<String> args :
                List.of(
                        List.of("import"),
                        List.of("import", "--discover", "x"),
                        List.of("import", "x", "--secrets=maybe"),
                        List.of("import", "x", "--dry-run=x"),
                        List.of("import", "-", "--move"),
                        List.of("import", "x", "--client", "emacs"),
                        List.of("client"))) {
            CommandLineRun run = ctl(args.toArray(String[]::new));
            assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
            assertThat(run.err()).contains("Usage: orlojctl ");
        }
    }
}
