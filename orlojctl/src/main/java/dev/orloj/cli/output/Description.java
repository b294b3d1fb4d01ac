package dev.orloj.cli.output;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.PrintStream;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Prints one resource in detail. */
public final class Description {

    private static final int INDENT = 14;
    private static final List<String> IN_SECTIONS =
            List.of("conditions", "discoveredTools", "generatedTools");

    private final PrintStream out;
    private final Instant now;

    public Description(PrintStream out, Instant now) {
        this.out = out;
        this.now = now;
    }

    /** Prints identity, spec and status of the resource. */
    public void print(ObjectNode resource) {
        JsonNode metadata = resource.path("metadata");
        line("Name", metadata.path("name").asString(""));
        if (metadata.has("namespace")) {
            line("Namespace", metadata.path("namespace").asString(""));
        }
        line(
                "Kind",
                "%s (%s)"
                        .formatted(
                                resource.path("kind").asString(""),
                                resource.path("apiVersion").asString("")));
        map("Labels", metadata.path("labels"));
        map("Annotations", metadata.path("annotations"));
        line("Created", since(metadata.path("creationTimestamp")));
        if (metadata.has("deletionTimestamp")) {
            line("Deleting", since(metadata.path("deletionTimestamp")));
        }
        for (JsonNode owner : metadata.path("ownerReferences")) {
            line(
                    "Owned By",
                    owner.path("kind").asString("") + "/" + owner.path("name").asString(""));
        }
        section("Spec", resource.path("spec"));
        section("Status", withoutSections(resource.path("status")));
        conditions(resource.at("/status/conditions"));
    }

    private void line(String heading, String text) {
        out.print(
                heading
                        + ":"
                        + " ".repeat(Math.max(1, INDENT - heading.length() - 1))
                        + Text.oneLine(text)
                        + "\n");
    }

    private void map(String heading, JsonNode entries) {
        if (entries.isEmpty()) {
            line(heading, "<none>");
            return;
        }
        String[] label = {heading};
        entries.properties()
                .forEach(
                        entry -> {
                            String text =
                                    Text.oneLine(
                                            entry.getKey() + "=" + entry.getValue().asString(""));
                            if (label[0].isEmpty()) {
                                out.print(" ".repeat(INDENT) + text + "\n");
                            } else {
                                line(label[0], text);
                            }
                            label[0] = "";
                        });
    }

    private void section(String heading, JsonNode content) {
        if (content.isEmpty()) {
            return;
        }
        out.print(heading + ":\n");
        Documents.toYaml(content)
                .lines()
                .forEach(text -> out.print("  " + Text.oneLine(text) + "\n"));
    }

    private static JsonNode withoutSections(JsonNode status) {
        return status instanceof ObjectNode object ? object.deepCopy().remove(IN_SECTIONS) : status;
    }

    private void conditions(JsonNode conditions) {
        if (conditions.isEmpty()) {
            return;
        }
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("TYPE", "STATUS", "REASON", "AGE", "MESSAGE"));
        for (JsonNode condition : conditions) {
            lines.add(
                    List.of(
                            condition.path("type").asString(""),
                            condition.path("status").asString(""),
                            condition.path("reason").asString(""),
                            age(condition.path("lastTransitionTime")),
                            Text.oneLine(condition.path("message").asString(""))));
        }
        table("Conditions", lines);
    }

    /** Prints tools, each with the name that clients see and its description. */
    public void printTools(List<ObjectNode> tools) {
        if (tools.isEmpty()) {
            return;
        }
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("NAME", "AGENT NAME", "DESCRIPTION"));
        for (ObjectNode tool : tools) {
            lines.add(
                    List.of(
                            tool.at("/metadata/name").asString(""),
                            tool.at("/spec/agent_name").asString(""),
                            firstLine(tool.at("/spec/description").asString(""))));
        }
        table("Tools (" + tools.size() + ")", lines);
    }

    private static String firstLine(String text) {
        String line = Text.oneLine(text.lines().findFirst().orElse(""));
        return line.length() > 80 ? line.substring(0, 77) + "..." : line;
    }

    /** Prints the events of the resource, the latest last. */
    public void printEvents(List<ObjectNode> events) {
        if (events.isEmpty()) {
            line("Events", "<none>");
            return;
        }
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("LAST SEEN", "TYPE", "REASON", "MESSAGE"));
        for (ObjectNode event : sorted(events)) {
            long count = event.path("count").asLong(1);
            lines.add(
                    List.of(
                            age(lastSeen(event)) + (count > 1 ? " (x" + count + ")" : ""),
                            event.path("type").asString(""),
                            event.path("reason").asString(""),
                            Text.oneLine(event.path("message").asString(""))));
        }
        table("Events", lines);
    }

    /** Sorts events by their last occurrence. */
    public static List<ObjectNode> sorted(List<ObjectNode> events) {
        return events.stream()
                .sorted(Comparator.comparing(event -> lastSeen(event).asString("")))
                .toList();
    }

    /** Returns the time of the last occurrence. */
    public static JsonNode lastSeen(JsonNode event) {
        for (String field : List.of("lastTimestamp", "eventTime")) {
            if (event.path(field).isString()) {
                return event.path(field);
            }
        }
        return event.at("/metadata/creationTimestamp");
    }

    /** Prints the last output of the process. */
    public void printLog(String lines) {
        if (lines.isBlank()) {
            return;
        }
        out.print("Last Output:\n");
        lines.lines().forEach(text -> out.print("  " + Text.oneLine(text) + "\n"));
    }

    private void table(String heading, List<List<String>> lines) {
        out.print(heading + ":\n");
        List<List<String>> indented = new ArrayList<>();
        for (List<String> line : lines) {
            List<String> cells = new ArrayList<>(line);
            cells.set(0, "  " + cells.getFirst());
            indented.add(cells);
        }
        new TablePrinter(out, TablePrinter.Layout.WHOLE).print(indented);
    }

    private String since(JsonNode time) {
        return time.isString() ? time.asString() + " (" + age(time) + " ago)" : "<unknown>";
    }

    /** Returns the time between an RFC 3339 time and now. */
    public String age(JsonNode time) {
        try {
            return Text.age(Duration.between(Instant.parse(time.asString("")), now));
        } catch (DateTimeException e) {
            return "<unknown>";
        }
    }
}
