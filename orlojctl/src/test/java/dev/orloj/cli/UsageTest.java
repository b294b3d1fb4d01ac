package dev.orloj.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.cli.command.CommandTest;
import dev.orloj.cli.testing.CommandLineRun;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/** H-11: every command, without arguments, with too many, and with wrong ones. */
@Timeout(30)
@DisplayName("H-11: wrong usage is a usage error of every command")
class UsageTest extends CommandTest {

    static List<Usage> usages() {
        return Usage.ALL;
    }

    static List<Usage> incomplete() {
        return Usage.ALL.stream().filter(usage -> !usage.bare().isEmpty()).toList();
    }

    static List<Usage> bounded() {
        return Usage.ALL.stream().filter(usage -> !usage.full().isEmpty()).toList();
    }

    @Test
    void everyCommandIsHere() {
        assertThat(Usage.ALL)
                .extracting(Usage::command)
                .containsExactlyInAnyOrderElementsOf(Usage.commands());
    }

    private static void assertUsageError(CommandLineRun run, Usage usage, String message) {
        assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .startsWith("orlojctl: ")
                .contains(message)
                .contains("\nUsage: orlojctl " + usage.command())
                .contains("\nSee 'orlojctl " + usage.command() + " --help'.\n")
                .doesNotContain("unexpected NoSuch", "Exception");
    }

    @ParameterizedTest
    @MethodSource("incomplete")
    void withoutArgumentsItSaysWhichAreMissing(Usage usage) {
        CommandLineRun run = ctl(usage.with(""));

        assertUsageError(run, usage, usage.bare());
        assertThat(run.err().lines().findFirst().orElseThrow()).contains(usage.bare());
        assertThat(orlojd.requests()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("bounded")
    void argumentsThatAreTooManyAreNotSwallowed(Usage usage) {
        CommandLineRun run = ctl(usage.with(usage.full() + " surplus"));

        assertUsageError(run, usage, "unexpected argument \"surplus\"");
        assertThat(orlojd.requests()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("usages")
    void unknownOptionsAreNamedWithTheLikeliestOne(Usage usage) {
        assertUsageError(
                ctl(usage.with("--nmaespace x")),
                usage,
                "unknown option \"--nmaespace\"; did you mean \"--namespace\"?");
        assertUsageError(ctl(usage.with("-Z")), usage, "unknown option \"-Z\"\n");
        assertUsageError(ctl(usage.with("--server")), usage, "--server needs URL");
        assertUsageError(ctl(usage.with("-n a -n b")), usage, "only once");
        assertThat(orlojd.requests()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "get|TOOLZ",
                "get|tool/",
                "get|/x",
                "describe|toolz|x",
                "delete|toolz|x",
                "delete|tool|a/b",
                "wait|toolz/x|--for|delete",
                "restart|tool/x",
                "restart|everything",
                "restart|mcp",
                "events|mcp|a|b",
                "logs|tool/x",
                "top|tool/x",
                "events|toolz/x",
                "mcp|No_Name",
                "client-config|emacs",
                "completion|tcsh",
            })
    void wrongNamesAreUsageErrors(String line) {
        CommandLineRun run = ctl(line.split("\\|"));

        assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
        assertThat(run.err()).startsWith("orlojctl: ").contains("\nUsage: orlojctl ");
        assertThat(orlojd.requests()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "get||tool",
                "get|tool|",
                "delete|tools|--all|-n|",
                "delete|tools|-l|",
                "delete|tool||",
                "call|",
                "logs|",
                "create|namespace|",
                "apply|-f|",
                "get|tools|--server|",
            })
    void emptyValuesDoNotMeanEverything(String line) {
        CommandLineRun run = ctl(line.split("\\|", -1));

        assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
        assertThat(run.err()).contains(" is empty: give a value");
        assertThat(orlojd.requests()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"get tool ..", "delete pod ..", "delete event .", "logs mcp/.."})
    void namesDoNotLeadOutOfTheirCollection(String line) {
        CommandLineRun run = ctl(line.split(" "));

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("is not the name of a resource");
        assertThat(orlojd.requests()).isEmpty();
    }
}
