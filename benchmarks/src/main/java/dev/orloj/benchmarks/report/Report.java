package dev.orloj.benchmarks.report;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.OptionalDouble;

/**
 * All tables of one run.
 *
 * @param effort how thorough the run was
 * @param jvmFlags of the JVMs that were measured
 */
public record Report(
        Instant startedAt,
        Machine machine,
        String effort,
        List<String> jvmFlags,
        List<Table> tables) {

    private static final DateTimeFormatter FILE_NAME =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss'.json'").withZone(ZoneOffset.UTC);

    public Report {
        jvmFlags = List.copyOf(jvmFlags);
        tables = List.copyOf(tables);
    }

    /** Writes the run into a file of its own, named for its start, and returns that. */
    public Path writeTo(Path folder) throws IOException {
        Files.createDirectories(folder);
        Path file = folder.resolve(FILE_NAME.format(startedAt));
        Files.writeString(
                file,
                Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(tree()) + "\n");
        return file;
    }

    private ObjectNode tree() {
        ObjectNode tree = Json.MAPPER.createObjectNode();
        tree.put("startedAt", startedAt.toString());
        tree.put("effort", effort);
        tree.set("jvmFlags", Json.MAPPER.valueToTree(jvmFlags));
        tree.set("machine", Json.MAPPER.valueToTree(machine));
        ArrayNode list = tree.putArray("benchmarks");
        tables.forEach(table -> list.add(tree(table)));
        return tree;
    }

    private static ObjectNode tree(Table table) {
        ObjectNode tree = Json.MAPPER.createObjectNode();
        tree.put("name", table.name());
        tree.put("title", table.title());
        tree.put("baseline", table.baseline());
        ObjectNode units = tree.putObject("columns");
        table.columns().forEach(column -> units.put(column.key(), column.title()));
        ArrayNode rows = tree.putArray("rows");
        table.rows().forEach(row -> rows.add(tree(table, row)));
        tree.set("goals", Json.MAPPER.valueToTree(table.goals()));
        tree.set("notes", Json.MAPPER.valueToTree(table.notes()));
        return tree;
    }

    private static ObjectNode tree(Table table, Row row) {
        ObjectNode tree = Json.MAPPER.createObjectNode();
        tree.put("subject", row.subject());
        tree.put("load", row.load());
        ObjectNode medians = tree.putObject("median");
        ObjectNode ratios = tree.putObject("ratioToBaseline");
        for (Column column : table.columns()) {
            put(medians, column.key(), row.value(column.key()));
            if (table.ratios().contains(column.key())) {
                put(ratios, column.key(), table.ratio(row, column.key()));
            }
        }
        tree.set("rounds", Json.MAPPER.valueToTree(row.rounds()));
        return tree;
    }

    private static void put(ObjectNode tree, String name, OptionalDouble value) {
        if (value.isPresent()) {
            tree.put(name, value.getAsDouble());
        }
    }
}
