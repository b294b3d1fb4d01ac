package dev.orloj.cli.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;
import dev.orloj.api.ledger.LedgerEntry;
import dev.orloj.cli.command.CommandTest;
import dev.orloj.cli.testing.CommandLineRun;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

@DisplayName("Issue 21: tools history, at, verify and pending do what their arguments say")
class LedgerArgumentsTest extends CommandTest {

    @TempDir private Path folder;

    @BeforeEach
    void someHistory() {
        orlojd.resources().put(server("tav"));
        orlojd.ledger("tav")
                .stated(LedgerEntry.ENROLLED, "{\"name\": \"t\"}", "Mails.")
                .tool(LedgerEntry.ENROLLED, "a", "{\"name\": \"a\"}")
                .tool(LedgerEntry.ENROLLED, "b", "{\"name\": \"b\"}")
                .feature(LedgerEntry.ENROLLED, "server/runs", "{\"program\": \"1\"}");
    }

    private CommandLineRun tools(int exitCode, String... arguments) {
        String[] line = new String[arguments.length + 1];
        line[0] = "tools";
        System.arraycopy(arguments, 0, line, 1, arguments.length);
        CommandLineRun run = ctl(line);
        assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(exitCode);
        return run;
    }

    private List<Integer> exported(String... arguments) {
        JsonNode export = Json.MAPPER.readTree(tools(0, arguments).out());
        return export.path("entries")
                .valueStream()
                .map(entry -> entry.path("sequence").asInt())
                .toList();
    }

    @Test
    void exportHasTheEntriesThatTheTableHas() {
        assertThat(exported("history", "tav--b", "-o", "json")).containsExactly(3);
        assertThat(exported("history", "mcp/tav", "server/runs", "-o", "json")).containsExactly(4);
        assertThat(exported("history", "mcp/tav", "-o", "json")).containsExactly(1, 2, 3, 4);
        assertThat(tools(0, "history", "mcp/tav", "server/instructions").out().lines()).hasSize(2);
        assertThat(tools(0, "history", "mcp/tav", "server/info").out().lines()).hasSize(2);
    }

    @Test
    void exportOfAPartIsNotTakenForALedgerThatWasChanged() throws IOException {
        Path file = folder.resolve("part.json");
        Files.writeString(file, tools(0, "history", "tav--b", "-o", "json").out());

        assertThat(tools(1, "verify", "--file", file.toString()).err())
                .contains("has only the entries of \"tav--b\"", "tools history mcp/NAME -o json");
    }

    @Test
    void exportAsYamlNamesTheFormatThatIsRead() throws IOException {
        Path file = folder.resolve("tav.yaml");
        Files.writeString(file, tools(0, "history", "mcp/tav", "-o", "yaml").out());

        assertThat(tools(1, "verify", "--file", file.toString()).err())
                .contains("tools history mcp/NAME -o json, not yaml");
    }

    @Test
    void filesThatAreNotThereAreNamedWithAReason() {
        for (String option : List.of("--file", "--checkpoint")) {
            assertThat(tools(1, "verify", option, "/nope").err())
                    .contains("cannot read \"/nope\": it is not there")
                    .doesNotContain("Exception");
        }
    }

    @Test
    void hashThatIsNoHashIsAUsageErrorAndNoFinding() {
        for (String hash : List.of("zzz", "sha256:0123abcd", "sha256:" + "g".repeat(64))) {
            assertThat(tools(2, "verify", "tav", "--hash", hash).err())
                    .contains("is no hash: give sha256: and all its 64 digits");
        }
        orlojd.resources().put(tool("tav", "a", "{}"));
        assertThat(tools(5, "verify", "tav", "--hash", "sha256:" + "0".repeat(64)).out())
                .contains("tav: ");
    }

    @Test
    void namespaceThatDoesNotExistIsAnError() {
        assertThat(tools(1, "verify", "-n", "nosuch").err())
                .contains("namespaces \"nosuch\" not found");
        assertThat(tools(1, "pending", "-n", "nosuch").err())
                .contains("namespaces \"nosuch\" not found");
    }

    @Test
    void emptyNamespaceHasNothingToVerify() {
        assertThat(ctl("create", "namespace", "empty").exitCode()).isZero();

        assertThat(tools(0, "verify", "-n", "empty").err())
                .isEqualTo("Namespace \"empty\" has no McpServer: there is nothing to verify.\n");
        assertThat(tools(0, "pending", "-n", "empty").err())
                .isEqualTo("Namespace \"empty\" has no McpServer: nothing is pending.\n");
    }

    @Test
    void timeOfAtIsChecked() {
        assertThat(tools(2, "at", "2026-11-28", "tav").err())
                .contains(
                        "\"2026-11-28\" is no time: give one with a zone, such as"
                                + " 2026-11-28T12:00:00Z, or the number of an entry, such as 17");
        assertThat(tools(2, "at", "tav", "2025-12-01T00:02:00Z").err())
                .contains("orlojctl tools at 2025-12-01T00:02:00Z tav");
        assertThat(tools(0, "at", "2999-01-01T00:00:00Z", "tav").err())
                .contains("is in the future: this is what the server has now, after entry 4");
        assertThat(tools(0, "at", "2025-12-01T00:03:00+00:00", "tav").err()).isEmpty();
    }

    @Test
    void atAlsoShowsWhatTheServerStated() {
        assertThat(tools(0, "at", "2", "tav").out())
                .contains("tav--a", "server/instructions", "server/info")
                .doesNotContain("tav--b", "server/runs");
    }
}
