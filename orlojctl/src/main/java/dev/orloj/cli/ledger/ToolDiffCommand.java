package dev.orloj.cli.ledger;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.approval.ServerDescription;
import dev.orloj.api.codec.Json;
import dev.orloj.api.ledger.CanonicalJson;
import dev.orloj.api.ledger.LedgerEntry;
import dev.orloj.api.ledger.SchemaChange;
import dev.orloj.api.ledger.SchemaComparison;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.output.Text;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Shows what changed between two definitions of a tool. */
final class ToolDiffCommand extends Command {

    private static final Set<String> TEXTS =
            Set.of("title", "description", "$comment", "default", "examples", "enum", "const");

    private final TextsOption arguments =
            arguments(
                    "1..*",
                    "TOOL [PART] [FROM TO]",
                    "A Tool, or mcp/NAME with the PART prompt/NAME, template/URI-TEMPLATE,"
                            + " resource/URI, server/instructions, server/info or server/runs; and"
                            + " the numbers of two entries. Default: the last change.");

    ToolDiffCommand() {
        super(
                "Show what changed in the definition of a tool: texts by word, schemas by effect.",
                "orlojctl tools diff github--create-issue",
                "orlojctl tools diff github--create-issue 3 17",
                "orlojctl tools diff mcp/github prompt/review",
                "orlojctl tools diff mcp/github server/instructions");
    }

    @Override
    public int run(Context context) {
        Optional<DefinitionName> stated =
                arguments.get().stream()
                        .skip(1)
                        .limit(1)
                        .map(DefinitionName::parse)
                        .filter(name -> !name.isTool())
                        .findFirst();
        List<String> numbers =
                arguments.get().subList(stated.isPresent() ? 2 : 1, arguments.get().size());
        if (numbers.size() > 2) {
            throw new UsageException("unexpected argument \"" + numbers.get(2) + "\"");
        }
        Ledger.Target target = Ledger.target(context, arguments.get().getFirst());
        if (target.tool().isEmpty() && stated.isEmpty()) {
            throw new UsageException(
                    "\"%s\" is no Tool; tools history %1$s lists those of a server. Other definitions: tools diff mcp/%1$s prompt/NAME, or server/instructions"
                            .formatted(arguments.get().getFirst()));
        }
        Ledger ledger = Ledger.read(context, target.server());
        List<LedgerEntry> entries =
                stated
                        .map(name -> entriesOf(ledger, name))
                        .orElseGet(() -> ledger.entriesOf(target.tool()))
                        .stream()
                        .filter(entry -> !entry.content().isEmpty() && entry.actor().isEmpty())
                        .toList();
        List<LedgerEntry> pair = pair(entries, numbers);
        if (pair.isEmpty()) {
            context.err().println("The definition has not changed since it was enrolled.");
            return ExitCode.OK;
        }
        JsonNode before = content(context, target.server(), pair.getFirst(), stated);
        JsonNode after = content(context, target.server(), pair.getLast(), stated);
        for (LedgerEntry entry : pair) {
            context.out()
                    .print(
                            "%s entry %d of %s, %s, %s\n"
                                    .formatted(
                                            entry == pair.getFirst() ? "---" : "+++",
                                            entry.sequence(),
                                            entry.at(),
                                            entry.operation(),
                                            entry.content()));
        }
        lines(before, after).forEach(line -> context.out().print(Text.oneLine(line) + "\n"));
        return ExitCode.OK;
    }

    /** Returns the entries in which a definition of the server differs from the entry before. */
    private static List<LedgerEntry> entriesOf(Ledger ledger, DefinitionName name) {
        if (name.isFeature() || name.equals(DefinitionName.RUNS)) {
            return ledger.entriesOf(name);
        }
        String part = name.equals(DefinitionName.INSTRUCTIONS) ? "instructions" : "identity";
        List<LedgerEntry> entries = new ArrayList<>();
        String digest = "";
        for (LedgerEntry entry : ledger.entries()) {
            if (entry.subject().equals(name.kind().subject())) {
                entries.add(entry);
            } else if (entry.subject().equals(LedgerEntry.SERVER)
                    && !entry.part(part).equals(digest)) {
                entries.add(entry);
                digest = entry.part(part);
            }
        }
        return entries;
    }

    private static List<LedgerEntry> pair(List<LedgerEntry> entries, List<String> numbers) {
        if (numbers.isEmpty()) {
            return entries.size() < 2
                    ? List.of()
                    : entries.subList(entries.size() - 2, entries.size());
        }
        if (numbers.size() == 1) {
            throw new UsageException("FROM without TO: give the numbers of two entries");
        }
        return numbers.stream().map(number -> entry(entries, number)).toList();
    }

    private static LedgerEntry entry(List<LedgerEntry> entries, String number) {
        List<String> numbers =
                entries.stream().map(entry -> Long.toString(entry.sequence())).toList();
        int index = numbers.indexOf(number);
        if (index < 0) {
            throw new CommandException(
                    "the tool has no definition in entry \"%s\"; it has: %s"
                            .formatted(number, String.join(", ", numbers)));
        }
        return entries.get(index);
    }

    /**
     * @param stated a definition of the server; empty for one of a tool
     */
    private static JsonNode content(
            Context context,
            ResourceKey server,
            LedgerEntry entry,
            Optional<DefinitionName> stated) {
        JsonNode content = content(context, server, entry);
        if (stated.isEmpty() || !entry.subject().equals(LedgerEntry.SERVER)) {
            return content;
        }
        return ServerDescription.of(
                        content.path("identity"), content.path("instructions").asString(""))
                .definition(stated.get())
                .orElseGet(Json.MAPPER::createObjectNode);
    }

    private static JsonNode content(Context context, ResourceKey server, LedgerEntry entry) {
        JsonNode content = Ledger.content(context, server, entry);
        if (content.isMissingNode()) {
            throw new CommandException(
                    "the definition of entry %d was removed; its digest is %s"
                            .formatted(entry.sequence(), entry.content()));
        }
        return content;
    }

    /** Returns one line for each difference. */
    static List<String> lines(JsonNode before, JsonNode after) {
        List<String> lines = new ArrayList<>();
        List<SchemaChange> changes =
                new ArrayList<>(
                        SchemaComparison.ofInputs(
                                before.path("inputSchema"), after.path("inputSchema")));
        changes.addAll(
                SchemaComparison.ofOutputs(
                        before.path("outputSchema"), after.path("outputSchema")));
        for (SchemaChange change : changes) {
            lines.add(
                    "%s %s: %s"
                            .formatted(
                                    change.level().name().toLowerCase(Locale.ROOT),
                                    change.pointer(),
                                    change.message()));
        }
        Map<String, JsonNode> old = new TreeMap<>();
        Map<String, JsonNode> now = new TreeMap<>();
        collect("", before, false, old);
        collect("", after, false, now);
        Set<String> places = new TreeSet<>(old.keySet());
        places.addAll(now.keySet());
        for (String place : places) {
            String was = text(old.get(place));
            String is = text(now.get(place));
            if (!was.equals(is)) {
                lines.add("text " + place + ": " + WordDiff.of(was, is));
            }
        }
        return lines;
    }

    /** Collects what is compared by words: the texts of schemas, and all outside of schemas. */
    private static void collect(
            String pointer, JsonNode value, boolean inSchema, Map<String, JsonNode> texts) {
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            String name = field.getKey();
            String place = pointer + "/" + name.replace("~", "~0").replace("/", "~1");
            boolean isSchema = pointer.isEmpty() && name.endsWith("putSchema");
            if (inSchema || isSchema) {
                if (TEXTS.contains(name) && !pointer.endsWith("/properties")) {
                    texts.put(place, field.getValue());
                } else {
                    collect(place, field.getValue(), true, texts);
                }
            } else {
                texts.put(place, field.getValue());
            }
        }
        for (int i = 0; value.isArray() && i < value.size(); i++) {
            collect(pointer + "/" + i, value.path(i), inSchema, texts);
        }
    }

    private static String text(@Nullable JsonNode value) {
        if (value == null) {
            return "";
        }
        return value.isString() ? value.asString() : CanonicalJson.of(value);
    }
}
