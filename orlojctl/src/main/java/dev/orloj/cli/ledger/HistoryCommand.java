package dev.orloj.cli.ledger;

import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.approval.ServerDescription;
import dev.orloj.api.ledger.LedgerEntry;
import dev.orloj.api.ledger.RunningCode;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Format;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.output.TablePrinter;
import dev.orloj.cli.output.Text;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Lists the entries of a ledger, or exports it. */
final class HistoryCommand extends Command {

    private static final List<String> PARTS =
            Stream.concat(
                            Stream.of(
                                    "schema",
                                    "text",
                                    "annotations",
                                    "presentation",
                                    "runs",
                                    "identity",
                                    "instructions"),
                            RunningCode.PARTS.stream())
                    .toList();

    private final TextsOption arguments =
            arguments(
                    "1..*",
                    "SERVER|TOOL [DEFINITION]",
                    "An McpServer, or a Tool that it lists; of an McpServer also only prompt/NAME,"
                            + " template/URI-TEMPLATE, resource/URI, server/instructions,"
                            + " server/info or server/runs.");
    private final TextOption output =
            text(
                    "FORMAT",
                    "table, json or yaml; json of a whole SERVER is what verify --file reads.",
                    "-o",
                    "--output");

    HistoryCommand() {
        super(
                "List what a server has enrolled, changed, renamed and retired, and what was held.",
                "orlojctl tools history github",
                "orlojctl tools history mcp/github -o json > github.ledger",
                "orlojctl tools history github--create-issue",
                "orlojctl tools history mcp/github prompt/review");
    }

    @Override
    public int run(Context context) {
        Format format =
                Format.parse(
                        output.orElse("table"), List.of(Format.TABLE, Format.JSON, Format.YAML));
        Optional<DefinitionName> feature = feature();
        Ledger.Target target = Ledger.target(context, arguments.get().getFirst());
        Ledger ledger = Ledger.read(context, target.server());
        List<LedgerEntry> entries =
                feature.map(ledger::entriesOf).orElseGet(() -> ledger.entriesOf(target.tool()));
        if (format != Format.TABLE) {
            String selected = feature.map(DefinitionName::text).orElse(target.tool());
            context.out()
                    .print(
                            format.write(
                                    selected.isEmpty()
                                            ? ledger.document()
                                            : ledger.part(selected, entries)));
            return ExitCode.OK;
        }
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
            if (!isAboutHeld(entry) && !isRenamed(entry)) {
                before.put(subject(entry, ""), entry);
            }
        }
        new TablePrinter(context.out(), TablePrinter.Layout.WHOLE.within(context.console()))
                .print(lines);
        return ExitCode.OK;
    }

    private Optional<DefinitionName> feature() {
        if (arguments.get().size() > 2) {
            throw new UsageException("unexpected argument \"" + arguments.get().get(2) + "\"");
        }
        Optional<String> given = arguments.get().stream().skip(1).findFirst();
        Optional<DefinitionName> feature =
                given.map(DefinitionName::parse).filter(name -> !name.isTool());
        if (given.isPresent() && feature.isEmpty()) {
            throw new UsageException(
                    "\"%s\" is no prompt, template or resource: give mcp/NAME and prompt/NAME, template/URI-TEMPLATE, resource/URI, server/instructions, server/info or server/runs"
                            .formatted(given.get()));
        }
        return feature;
    }

    private static String subject(LedgerEntry entry, String former) {
        return entry.subject() + " " + (former.isEmpty() ? entry.tool() + entry.name() : former);
    }

    /** Returns whether an entry changes nothing of what is served. */
    private static boolean isAboutHeld(LedgerEntry entry) {
        return entry.operation().equals(LedgerEntry.HELD) || !entry.actor().isEmpty();
    }

    /** Returns whether a tool goes under one name, and is held under another. */
    private static boolean isRenamed(LedgerEntry entry) {
        return entry.operation().equals(LedgerEntry.RETIRED) && !entry.reason().isEmpty();
    }

    private static List<String> line(LedgerEntry entry, @Nullable LedgerEntry before) {
        boolean hasDigest = entry.content().length() > 19;
        String name = name(entry);
        String former = entry.formerTool().isEmpty() ? "" : ", was " + entry.formerTool();
        String later = isRenamed(entry) ? ", " + entry.reason() : "";
        return List.of(
                Long.toString(entry.sequence()),
                entry.at(),
                entry.operation(),
                Text.oneLine(name + former + later),
                before == null || before.content().isEmpty() ? by(entry) : changed(before, entry),
                hasDigest ? entry.content().substring(7, 19) : "");
    }

    private static String name(LedgerEntry entry) {
        if (entry.subject().equals(LedgerEntry.TOOL)) {
            return entry.tool();
        }
        return entry.feature().isEmpty() ? "(" + other(entry.subject()) + ")" : entry.feature();
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
