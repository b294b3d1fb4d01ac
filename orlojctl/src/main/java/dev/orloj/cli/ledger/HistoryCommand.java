package dev.orloj.cli.ledger;

import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.approval.ServerDescription;
import dev.orloj.api.ledger.LedgerEntry;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Format;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.output.TablePrinter;
import dev.orloj.cli.output.Text;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** Lists the entries of a ledger, or exports it. */
final class HistoryCommand extends Command {

    private static final List<String> PARTS =
            List.of(
                    "schema",
                    "text",
                    "annotations",
                    "presentation",
                    "runs",
                    "identity",
                    "instructions");

    private final TextsOption arguments =
            arguments("1", "SERVER|TOOL", "An McpServer, or a Tool that it lists.");
    private final TextOption output =
            text(
                    "FORMAT",
                    "table, json or yaml; json is what verify --file reads.",
                    "-o",
                    "--output");

    HistoryCommand() {
        super(
                "List what a server has enrolled, changed, renamed and retired, and what was held.",
                "orlojctl tools history github",
                "orlojctl tools history mcp/github -o json > github.ledger",
                "orlojctl tools history github--create-issue");
    }

    @Override
    public int run(Context context) {
        Format format =
                Format.parse(
                        output.orElse("table"), List.of(Format.TABLE, Format.JSON, Format.YAML));
        Ledger.Target target = Ledger.target(context, arguments.get().getFirst());
        Ledger ledger = Ledger.read(context, target.server());
        if (format != Format.TABLE) {
            context.out().print(format.write(ledger.document()));
            return ExitCode.OK;
        }
        List<LedgerEntry> entries = ledger.entriesOf(target.tool());
        if (entries.isEmpty()) {
            context.err().println("No entries.");
            return ExitCode.OK;
        }
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("ENTRY", "TIME", "OPERATION", "TOOL", "CHANGED", "DIGEST"));
        Map<String, LedgerEntry> before = new HashMap<>();
        for (LedgerEntry entry : entries) {
            LedgerEntry former = before.get(subject(entry, entry.formerTool()));
            lines.add(line(entry, former == null ? before.get(subject(entry, "")) : former));
            if (!isAboutHeld(entry)) {
                before.put(subject(entry, ""), entry);
            }
        }
        new TablePrinter(context.out(), TablePrinter.Layout.WHOLE.within(context.console()))
                .print(lines);
        return ExitCode.OK;
    }

    private static String subject(LedgerEntry entry, String former) {
        return entry.subject() + " " + (former.isEmpty() ? entry.tool() : former);
    }

    /** Returns whether an entry changes nothing of what is served. */
    private static boolean isAboutHeld(LedgerEntry entry) {
        return entry.operation().equals(LedgerEntry.HELD) || !entry.actor().isEmpty();
    }

    private static List<String> line(LedgerEntry entry, @Nullable LedgerEntry before) {
        boolean hasDigest = entry.content().length() > 19;
        String name =
                entry.subject().equals(LedgerEntry.TOOL)
                        ? entry.tool()
                        : "(" + other(entry.subject()) + ")";
        String former = entry.formerTool().isEmpty() ? "" : ", was " + entry.formerTool();
        return List.of(
                Long.toString(entry.sequence()),
                entry.at(),
                entry.operation(),
                Text.oneLine(name + former),
                before == null || before.content().isEmpty() ? by(entry) : changed(before, entry),
                hasDigest ? entry.content().substring(7, 19) : "");
    }

    private static String other(String subject) {
        return ServerDescription.NAMES.stream()
                .filter(name -> name.kind().subject().equals(subject))
                .map(DefinitionName::text)
                .findFirst()
                .orElseGet(() -> subject.toLowerCase(Locale.ROOT));
    }

    private static String by(LedgerEntry entry) {
        return entry.actor().isEmpty() ? "" : Text.oneLine("by " + entry.actor());
    }

    private static String changed(LedgerEntry before, LedgerEntry entry) {
        if (!entry.actor().isEmpty()) {
            return by(entry);
        }
        if (entry.content().isEmpty()) {
            return "";
        }
        Stream<String> parts =
                PARTS.stream().filter(part -> !before.part(part).equals(entry.part(part)));
        return String.join(",", parts.toList());
    }
}
