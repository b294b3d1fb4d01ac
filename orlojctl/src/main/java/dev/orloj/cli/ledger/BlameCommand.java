package dev.orloj.cli.ledger;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.ledger.CanonicalJson;
import dev.orloj.api.ledger.LedgerEntry;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.output.TablePrinter;
import dev.orloj.cli.output.Text;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Shows since when each field of the definition of a tool is as it is, and who approved it. */
final class BlameCommand extends Command {

    /** Each definition is one request. */
    private static final int MAX_DEFINITIONS = 100;

    private static final int LONGEST_SHOWN = 60;

    private final TextsOption arguments =
            arguments("1", "TOOL", "A Tool, or one that was retired.");

    BlameCommand() {
        super(
                "Show which entry set each field of a definition, and who" + " approved it.",
                "orlojctl tools blame github--create-issue");
    }

    @Override
    public int run(Context context) {
        String argument = arguments.get().getFirst();
        Ledger.Target target = Ledger.tool(context, argument);
        List<LedgerEntry> entries = Ledger.read(context, target.server()).entriesOf(target.tool());
        List<LedgerEntry> served = served(entries);
        if (served.isEmpty()) {
            throw new CommandException(
                    (entries.isEmpty()
                                    ? "tool \"%s\" has never been served"
                                    : "tool \"%s\" has never been served: \"orlojctl tools diff"
                                          + " %1$s\" shows the definition that is held, if there is"
                                          + " one")
                            .formatted(target.tool()));
        }
        Map<String, JsonNode> fields = newest(context, target.server(), served.getLast());
        Map<String, LedgerEntry> since = since(context, target.server(), served, fields);
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("ENTRY", "TIME", "OPERATION", "BY", "FIELD", "VALUE"));
        fields.forEach(
                (field, value) -> {
                    LedgerEntry entry = since.getOrDefault(field, served.getLast());
                    lines.add(line(entry, entries, field, value));
                });
        new TablePrinter(context.out(), TablePrinter.Layout.WHOLE.within(context.console()))
                .print(lines);
        return ExitCode.OK;
    }

    /** Returns the entries whose definitions were served, oldest first. */
    private static List<LedgerEntry> served(List<LedgerEntry> entries) {
        return entries.stream()
                .filter(entry -> !entry.content().isEmpty() && entry.actor().isEmpty())
                .filter(entry -> !entry.operation().equals(LedgerEntry.HELD))
                .toList();
    }

    private static Map<String, JsonNode> newest(
            Context context, ResourceKey server, LedgerEntry entry) {
        JsonNode content = Ledger.content(context, server, entry.content());
        if (content.isMissingNode()) {
            throw new CommandException(
                    "the definition of entry %d was removed; its digest is %s"
                            .formatted(entry.sequence(), entry.content()));
        }
        return fields(content);
    }

    /**
     * Returns the oldest entry since which each field of the newest definition is unchanged; none
     * for those that are of the newest entry.
     */
    private static Map<String, LedgerEntry> since(
            Context context,
            ResourceKey server,
            List<LedgerEntry> served,
            Map<String, JsonNode> newest) {
        Map<String, JsonNode> open = new LinkedHashMap<>(newest);
        Map<String, LedgerEntry> since = new LinkedHashMap<>();
        int oldest = Math.max(0, served.size() - MAX_DEFINITIONS);
        for (int i = served.size() - 2; i >= oldest && !open.isEmpty(); i--) {
            LedgerEntry entry = served.get(i);
            JsonNode content = Ledger.content(context, server, entry.content());
            if (content.isMissingNode()) {
                context.err()
                        .println(
                                "The definition of entry %d was removed: fields of entry %d may be older."
                                        .formatted(entry.sequence(), served.get(i + 1).sequence()));
                return since;
            }
            Map<String, JsonNode> before = fields(content);
            open.entrySet().removeIf(field -> !field.getValue().equals(before.get(field.getKey())));
            open.keySet().forEach(field -> since.put(field, entry));
        }
        if (oldest > 0 && !open.isEmpty()) {
            context.err()
                    .println(
                            "Only the newest %d definitions were read: fields of entry %d may be older."
                                    .formatted(MAX_DEFINITIONS, served.get(oldest).sequence()));
        }
        return since;
    }

    /** Returns the fields that have no fields of their own, by JSON Pointer. */
    private static Map<String, JsonNode> fields(JsonNode definition) {
        Map<String, JsonNode> fields = new LinkedHashMap<>();
        collect("", definition, fields);
        return fields;
    }

    private static void collect(String pointer, JsonNode value, Map<String, JsonNode> fields) {
        if (value.isEmpty() || !value.isContainer()) {
            fields.put(pointer, value);
        }
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            String name = field.getKey().replace("~", "~0").replace("/", "~1");
            collect(pointer + "/" + name, field.getValue(), fields);
        }
        for (int i = 0; value.isArray() && i < value.size(); i++) {
            collect(pointer + "/" + i, value.path(i), fields);
        }
    }

    private static List<String> line(
            LedgerEntry since, List<LedgerEntry> entries, String field, JsonNode value) {
        String text = value.isString() ? value.asString() : CanonicalJson.of(value);
        String shown = text.length() > LONGEST_SHOWN ? text.substring(0, LONGEST_SHOWN) : text;
        return List.of(
                Long.toString(since.sequence()),
                since.at(),
                since.operation(),
                Text.oneLine(approver(since, entries)),
                Text.oneLine(field),
                Text.oneLine(shown.equals(text) ? text : shown + "..."));
    }

    /** Returns who approved a definition; empty if none was needed. */
    private static String approver(LedgerEntry served, List<LedgerEntry> entries) {
        return entries.stream()
                .filter(entry -> entry.operation().equals(LedgerEntry.APPROVED))
                .filter(entry -> entry.content().equals(served.content()))
                .map(LedgerEntry::actor)
                .reduce("", (_, last) -> last);
    }
}
