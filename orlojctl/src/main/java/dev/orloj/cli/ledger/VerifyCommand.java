package dev.orloj.cli.ledger;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.api.ledger.CanonicalJson;
import dev.orloj.api.ledger.GeneratedTool;
import dev.orloj.api.ledger.LedgerEntry;
import dev.orloj.api.ledger.LedgerReplay;
import dev.orloj.api.ledger.LedgerState;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Tool;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.http.ResourceSelection;
import dev.orloj.cli.output.Text;
import dev.orloj.cli.resource.Targets;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Replays ledgers, checks their chains, and compares what they say with the Tools. */
final class VerifyCommand extends Command {

    private final TextsOption arguments =
            arguments("0..1", "[SERVER]", "Only this McpServer. Default: all of the namespace.");
    private final TextOption file =
            text("EXPORT", "Check an export of history -o json, without a server.", "--file");
    private final TextOption head =
            text("HASH", "The hash that the ledger must contain, as kept elsewhere.", "--hash");

    VerifyCommand() {
        super(
                "Check that ledgers are whole, and that they lead to the present Tools.",
                "orlojctl tools verify",
                "orlojctl tools verify github",
                "orlojctl tools verify --file github.ledger");
    }

    @Override
    public int run(Context context) {
        if (file.get().isPresent()) {
            if (!arguments.get().isEmpty()) {
                throw new UsageException("a SERVER and --file exclude each other");
            }
            Ledger ledger = read(file.get().get());
            return report(context, ledger, problems(ledger, Optional.empty()));
        }
        if (head.get().isPresent() && arguments.get().isEmpty()) {
            throw new UsageException("the --hash of which ledger? Give a SERVER or --file");
        }
        int code = ExitCode.OK;
        for (ResourceKey server : servers(context)) {
            Map<String, LedgerState.Item> before = tools(context, server);
            Ledger ledger = Ledger.read(context, server);
            List<String> problems = problems(ledger, Optional.of(before));
            if (!problems.isEmpty() && !before.equals(tools(context, server))) {
                // Written in between.
                before = tools(context, server);
                ledger = Ledger.read(context, server);
                problems = problems(ledger, Optional.of(before));
            }
            code = Math.max(code, report(context, ledger, problems));
        }
        return code;
    }

    private List<ResourceKey> servers(Context context) {
        if (!arguments.get().isEmpty()) {
            String server = Targets.serverName(arguments.get().getFirst());
            return List.of(new ResourceKey(context.namespace(), server));
        }
        return context
                .documents()
                .list(ResourceSelection.everything(McpServer.KIND, context.namespace()))
                .items()
                .stream()
                .map(item -> item.at("/metadata/name").asString(""))
                .map(name -> new ResourceKey(context.namespace(), name))
                .toList();
    }

    private static Map<String, LedgerState.Item> tools(Context context, ResourceKey server) {
        Map<String, LedgerState.Item> tools = new TreeMap<>();
        ResourceSelection own =
                new ResourceSelection(
                        Tool.KIND, server.namespace(), Tool.SERVER_LABEL + "=" + server.name(), "");
        for (ObjectNode document : context.documents().list(own).items()) {
            GeneratedTool.of(document)
                    .ifPresent(
                            tool ->
                                    tools.put(
                                            tool.resource(),
                                            new LedgerState.Item(
                                                    tool.tool(),
                                                    CanonicalJson.digest(tool.definition()))));
        }
        return tools;
    }

    private static Ledger read(String path) {
        try {
            JsonNode document = Json.MAPPER.readTree(Files.readString(Path.of(path)));
            if (document instanceof ObjectNode object
                    && object.path("kind").asString("").equals("ToolLedger")) {
                return new Ledger(object);
            }
            throw new CommandException(
                    path + " is no export of a ledger: write it with tools history SERVER -o json");
        } catch (IOException e) {
            throw new CommandException("cannot read " + path + ": " + e.getMessage());
        } catch (JacksonException e) {
            throw new CommandException(path + " is no JSON: " + e.getOriginalMessage());
        }
    }

    /**
     * @param tools the present Tools; empty when they are not known
     */
    private List<String> problems(Ledger ledger, Optional<Map<String, LedgerState.Item>> tools) {
        List<String> problems = new ArrayList<>();
        LedgerReplay replay = ledger.replayed();
        replay.problem().ifPresent(problems::add);
        String end = ledger.document().at("/head/hash").asString("");
        String last = replay.last().map(LedgerEntry::hash).orElse("");
        if (problems.isEmpty() && !end.equals(last)) {
            problems.add("the newest entries are missing: the last is not the head");
        }
        if (problems.isEmpty()) {
            tools.ifPresent(present -> compare(replay.state().tools(), present, problems));
        }
        head.get()
                .filter(hash -> ledger.entries().stream().noneMatch(e -> e.hash().equals(hash)))
                .ifPresent(hash -> problems.add("no entry has the hash " + hash));
        return problems;
    }

    private static void compare(
            Map<String, LedgerState.Item> fold,
            Map<String, LedgerState.Item> present,
            List<String> problems) {
        Map<String, LedgerState.Item> all = new TreeMap<>(fold);
        all.putAll(present);
        for (String name : all.keySet()) {
            if (!present.containsKey(name)) {
                problems.add("tool \"" + name + "\" is in the ledger, and there is no such Tool");
            } else if (!fold.containsKey(name)) {
                problems.add("tool \"" + name + "\" is not in the ledger");
            } else if (!present.get(name).equals(fold.get(name))) {
                problems.add("tool \"" + name + "\" has another definition than in the ledger");
            }
        }
    }

    private static int report(Context context, Ledger ledger, List<String> problems) {
        for (String problem : problems) {
            context.out().print("%s: %s\n".formatted(ledger.server(), Text.oneLine(problem)));
        }
        if (problems.isEmpty()) {
            context.out().print(ledger.server() + ": " + summary(ledger) + "\n");
        }
        return problems.isEmpty() ? ExitCode.OK : ExitCode.FINDINGS;
    }

    private static String summary(Ledger ledger) {
        int entries = ledger.document().path("entries").size();
        if (entries == 0) {
            return "no entries yet; the first sync of its tools adds them";
        }
        return "%s, %s, head %s"
                .formatted(
                        entries == 1 ? "1 entry" : entries + " entries",
                        Text.count(ledger.replayed().state().tools().size(), "tool"),
                        ledger.document().at("/head/hash").asString("-"));
    }
}
