package dev.orloj.cli.explore;

import dev.orloj.api.codec.Json;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.Format;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.http.Request;
import dev.orloj.cli.output.TablePrinter;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Shows the kinds that the server has. */
public final class ApiResourcesCommand extends Command {

    private final TextOption group =
            text("GROUP", "Only this group; empty for core.", "--api-group");
    private final TextOption namespaced =
            text("BOOL", "Only those in namespaces, or only the others.", "--namespaced");
    private final TextOption verbs =
            text("VERBS", "Only those that have all of these verbs.", "--verbs");
    private final TextOption output = text("FORMAT", "wide or name.", "-o", "--output");
    private final TextOption sortBy = text("COLUMN", "name or kind.", "--sort-by");
    private final Flag noHeaders = flag("Print no headings.", "--no-headers");

    public ApiResourcesCommand() {
        super(
                "Show the kinds that the server has.",
                "orlojctl api-resources",
                "orlojctl api-resources --verbs list,watch -o name");
    }

    private record Entry(String groupVersion, JsonNode resource) {

        String group() {
            int slash = groupVersion.indexOf('/');
            return slash < 0 ? "" : groupVersion.substring(0, slash);
        }

        String text(String field) {
            return resource.path(field).asString("");
        }

        List<String> texts(String field) {
            return resource.path(field).valueStream().map(v -> v.asString("")).toList();
        }
    }

    @Override
    public int run(Context context) {
        Format format =
                output.get()
                        .map(text -> Format.parse(text, List.of(Format.WIDE, Format.NAME)))
                        .orElse(Format.TABLE);
        Comparator<Entry> order = order();
        List<String> wanted = verbs.get().map(v -> List.of(v.split(","))).orElse(List.of());
        List<Entry> entries =
                entries(context).stream()
                        .filter(e -> !e.text("name").contains("/"))
                        .filter(e -> group.get().map(g -> g.equals(e.group())).orElse(true))
                        .filter(e -> isInScope(e.resource().path("namespaced").asBoolean(false)))
                        .filter(e -> e.texts("verbs").containsAll(wanted))
                        .sorted(order)
                        .toList();
        print(context, format, entries);
        return ExitCode.OK;
    }

    private Comparator<Entry> order() {
        return switch (sortBy.orElse("")) {
            case "" -> Comparator.comparing(Entry::group).thenComparing(e -> e.text("name"));
            case "name" -> Comparator.comparing(e -> e.text("name"));
            case "kind" -> Comparator.comparing(e -> e.text("kind"));
            default ->
                    throw new UsageException(
                            "--sort-by \"%s\": expected name or kind".formatted(sortBy.orElse("")));
        };
    }

    private boolean isInScope(boolean isNamespaced) {
        return switch (namespaced.orElse("")) {
            case "" -> true;
            case "true" -> isNamespaced;
            case "false" -> !isNamespaced;
            default ->
                    throw new UsageException(
                            "--namespaced \"%s\": expected true or false"
                                    .formatted(namespaced.orElse("")));
        };
    }

    private static List<Entry> entries(Context context) {
        List<Entry> entries = new ArrayList<>();
        read(context, "/api/v1", entries);
        for (JsonNode one : get(context, "/apis").path("groups")) {
            read(
                    context,
                    "/apis/" + one.at("/preferredVersion/groupVersion").asString(""),
                    entries);
        }
        return entries;
    }

    private static void read(Context context, String path, List<Entry> into) {
        JsonNode list = get(context, path);
        String groupVersion = list.path("groupVersion").asString("");
        list.path("resources").forEach(resource -> into.add(new Entry(groupVersion, resource)));
    }

    private static JsonNode get(Context context, String path) {
        return Json.MAPPER.readTree(context.connection().read(Request.get(path)));
    }

    private void print(Context context, Format format, List<Entry> entries) {
        if (format == Format.NAME) {
            entries.forEach(
                    e ->
                            context.out()
                                    .print(
                                            e.text("name")
                                                    + (e.group().isEmpty() ? "" : "." + e.group())
                                                    + "\n"));
            return;
        }
        List<List<String>> lines = new ArrayList<>();
        if (!noHeaders.isSet()) {
            lines.add(
                    cells(
                            format,
                            List.of("NAME", "SHORTNAMES", "APIVERSION", "NAMESPACED", "KIND"),
                            List.of("VERBS", "CATEGORIES")));
        }
        for (Entry e : entries) {
            lines.add(
                    cells(
                            format,
                            List.of(
                                    e.text("name"),
                                    String.join(",", e.texts("shortNames")),
                                    e.groupVersion(),
                                    e.resource().path("namespaced").asBoolean(false) + "",
                                    e.text("kind")),
                            List.of(
                                    String.join(",", e.texts("verbs")),
                                    String.join(",", e.texts("categories")))));
        }
        new TablePrinter(context.out(), TablePrinter.Layout.WHOLE.within(context.console()))
                .print(lines);
    }

    private static List<String> cells(Format format, List<String> always, List<String> wide) {
        List<String> cells = new ArrayList<>(always);
        if (format == Format.WIDE) {
            cells.addAll(wide);
        }
        return cells;
    }
}
