package dev.orloj.cli.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ledger.LedgerEntry;
import dev.orloj.cli.command.CommandTest;
import dev.orloj.cli.testing.CommandLineRun;
import dev.orloj.cli.testing.FakeLedger;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.List;

@DisplayName("Issue 21, item 1: a tool that is held under another name is shown as renamed")
class HeldRenameTest extends CommandTest {

    private static final String MAIL = definition("mail");
    private static final String POST = definition("post");

    private FakeLedger ledger;

    @BeforeEach
    void rename() {
        orlojd.resources().put(server("tav"));
        ledger =
                orlojd.ledger("tav")
                        .tool(LedgerEntry.ENROLLED, "mail", MAIL)
                        .holdRenamed("mail", "post", POST)
                        .retiredAsRenamed("mail", "post");
    }

    private static String definition(String name) {
        return "{\"name\": \"%s\", \"description\": \"Sends a mail.\"}".formatted(name);
    }

    private List<String> lines(String... line) {
        CommandLineRun run = ctl(line);
        assertThat(run.exitCode()).as(run.err()).isZero();
        return run.out()
                .lines()
                .map(l -> l.replaceAll("sha256:\\w+|\\b[0-9a-f]{12}\\b", "DIGEST"))
                .map(l -> l.replaceAll("2025-12-01T00:0\\d:00Z", "TIME"))
                .map(l -> l.replaceAll(" +", " ").strip())
                .toList();
    }

    @Test
    void pendingNamesTheFormerName() {
        assertThat(lines("tools", "pending", "mcp/tav"))
                .last()
                .asString()
                .startsWith("tav post quarantine renamed from mail no");
    }

    @Test
    void diffComparesWithTheToolThatWasRenamed() {
        assertThat(lines("tools", "diff", "mcp/tav", "post"))
                .containsExactly(
                        "--- entry 1 of TIME, Enrolled, DIGEST",
                        "+++ entry 2 of TIME, Held, DIGEST",
                        "text /name: [-mail-]{+post+}");
    }

    @Test
    void historyOfTheFormerToolNamesTheNewName() {
        assertThat(lines("tools", "history", "tav--mail"))
                .containsExactly(
                        "ENTRY TIME OPERATION TOOL CHANGED DIGEST",
                        "1 TIME Enrolled mail DIGEST",
                        "3 TIME Retired mail, renamed to post");
        assertThat(lines("tools", "diff", "tav--mail"))
                .contains("+++ nothing: retired with entry 3 of TIME");
    }

    @Test
    void historyOfTheNewToolHasBothNamesOnceItIsServed() {
        ledger.approve("post").renamed("mail", "post", POST);

        assertThat(lines("tools", "history", "tav--post"))
                .containsExactly(
                        "ENTRY TIME OPERATION TOOL CHANGED DIGEST",
                        "1 TIME Enrolled mail DIGEST",
                        "2 TIME Held post, was mail DIGEST",
                        "3 TIME Retired mail, renamed to post",
                        "4 TIME Approved post by alice DIGEST",
                        "5 TIME Renamed post, was mail DIGEST");
        assertThat(lines("tools", "blame", "tav--post"))
                .contains(
                        "5 TIME Renamed alice /name post",
                        "1 TIME Enrolled /description Sends a mail.");
    }

    @Test
    void toolThatWasRenamedNamesItsNewNameOnceItIsServed() {
        ledger.approve("post").renamed("mail", "post", POST);
        ledger.holdRenamed("mail", "letter", definition("letter"));

        assertThat(ctl("tools", "diff", "tav--mail").err())
                .contains("\"tav--mail\" was renamed to \"tav--post\" with entry 5");
    }
}
