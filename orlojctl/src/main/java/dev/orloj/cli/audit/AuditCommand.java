package dev.orloj.cli.audit;

import dev.orloj.api.codec.Json;
import dev.orloj.api.v1.Kinds;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Suggestions;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.http.Request;
import dev.orloj.cli.output.Documents;
import dev.orloj.cli.output.TablePrinter;
import dev.orloj.cli.output.Text;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Lists the audit log. */
public final class AuditCommand extends Command {

    private static final int DEFAULT_LIMIT = 100;

    /** Those of docs/audit.md. */
    private static final List<String> VERBS =
            List.of(
                    "create",
                    "update",
                    "patch",
                    "delete",
                    "deletecollection",
                    "call",
                    "get",
                    "drop",
                    "rollback",
                    "restore");

    private final TextOption user = text("USER", "Only events of this user.", "--user");
    private final TextOption verb =
            text("VERB", "Only events of this verb, such as create, delete or call.", "--verb");
    private final TextOption resource =
            text(
                    "RESOURCE",
                    "Only events of these resources, in the plural, such as tools.",
                    "--resource");
    private final TextOption name =
            text("NAME", "Only events of the resource with this name.", "--name");
    private final TextOption since =
            text("DURATION", "Only events of the last DURATION, such as 30m.", "--since");
    private final TextOption limit =
            text("N", "Only the newest N events. Default: 100.", "--limit");
    private final TextOption output =
            text("FORMAT", "table, json, yaml, or jsonl for one event a line.", "-o", "--output");

    public AuditCommand() {
        super(
                "Show who wrote and called what, newest first.",
                "orlojctl audit --user ann --since 24h",
                "orlojctl audit --verb call --resource tools -n web -o jsonl",
                "orlojctl audit checkpoint > checkpoint.json",
                "orlojctl audit verify --checkpoint checkpoint.json");
        spec().addSubcommand("export", new ExportAuditCommand().spec());
        spec().addSubcommand("checkpoint", new AuditCheckpointCommand().spec());
        spec().addSubcommand("verify", new VerifyAuditCommand().spec());
    }

    @Override
    public int run(Context context) {
        String format = output.orElse("table");
        if (!List.of("table", "json", "yaml", "jsonl").contains(format)) {
            throw new UsageException(
                    "unknown output format \"%s\"; table, json, yaml or jsonl".formatted(format));
        }
        ArrayNode events = read(context, wanted());
        switch (format) {
            case "json", "yaml" -> {
                ObjectNode list = Json.MAPPER.createObjectNode();
                list.put("kind", "EventList").put("apiVersion", "audit.k8s.io/v1");
                list.set("items", events);
                context.out()
                        .print(
                                format.equals("json")
                                        ? Documents.toJson(list)
                                        : Documents.toYaml(list));
            }
            case "jsonl" -> events.forEach(event -> context.out().print(event + "\n"));
            default -> print(context, events);
        }
        return ExitCode.OK;
    }

    private int wanted() {
        String text = limit.orElse(Integer.toString(DEFAULT_LIMIT));
        if (!text.matches("[1-9][0-9]{0,6}")) {
            throw new UsageException("--limit %s: give a number from 1".formatted(text));
        }
        return Integer.parseInt(text);
    }

    private ArrayNode read(Context context, int wanted) {
        Request request =
                Request.get(AuditPaths.EVENTS)
                        .with("user", user.orElse(""))
                        .with("verb", verb.orElse(""))
                        .with("resource", resource.orElse(""))
                        .with("name", name.orElse(""))
                        .with("namespace", context.namedNamespace().orElse(""));
        if (since.get().isPresent()) {
            Instant begin =
                    context.console().clock().instant().minus(since.duration().orElseThrow());
            request = request.with("since", begin.toString());
        }
        ArrayNode events = Json.MAPPER.createArrayNode();
        String next = "";
        do {
            int missing = Math.min(wanted - events.size(), 1_000);
            JsonNode page =
                    context.connection()
                            .readObject(
                                    request.with("limit", Integer.toString(missing))
                                            .with("continue", next));
            page.path("items").forEach(events::add);
            next = page.at("/metadata/continue").asString("");
        } while (!next.isEmpty() && events.size() < wanted);
        return events;
    }

    /** An unknown word is not refused: a newer server may know it. */
    private static String question(TextOption option, List<String> known) {
        return option.get()
                .filter(word -> !known.contains(word))
                .map(word -> Suggestions.question(word, known))
                .orElse("");
    }

    private void print(Context context, ArrayNode events) {
        if (events.isEmpty()) {
            List<String> plurals =
                    Kinds.SCHEME.descriptors().stream().map(d -> d.kind().plural()).toList();
            String question = question(verb, VERBS) + question(resource, plurals);
            context.err().println("No events found" + (question.isEmpty() ? "." : question));
            return;
        }
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("TIME", "USER", "VERB", "RESOURCE", "NAMESPACE", "NAME", "CODE", "FROM"));
        for (JsonNode event : events) {
            JsonNode object = event.path("objectRef");
            String subresource = object.path("subresource").asString("");
            String plural = object.path("resource").asString(event.path("requestURI").asString(""));
            lines.add(
                    List.of(
                            event.path("requestReceivedTimestamp").asString(""),
                            Text.oneLine(event.at("/user/username").asString("")),
                            Text.oneLine(event.path("verb").asString("")),
                            Text.oneLine(
                                    subresource.isEmpty() ? plural : plural + "/" + subresource),
                            Text.oneLine(object.path("namespace").asString("")),
                            Text.oneLine(object.path("name").asString("")),
                            event.at("/responseStatus/code").asString(""),
                            event.at("/sourceIPs/0").asString("")));
        }
        new TablePrinter(context.out(), TablePrinter.Layout.WHOLE.within(context.console()))
                .print(lines);
    }
}
