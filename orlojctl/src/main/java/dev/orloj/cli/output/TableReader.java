package dev.orloj.cli.output;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Parses the wire format of a table. {@code get}, the most frequent command, needs no JSON library,
 * which would take as long to load as the command runs.
 */
public final class TableReader {

    private final JsonScanner scanner;
    private String kind = "";
    private String version = "";
    private String continueToken = "";
    private final List<TextTable.Column> columns = new ArrayList<>();
    private final List<TextTable.Row> rows = new ArrayList<>();

    private TableReader(JsonScanner scanner) {
        this.scanner = scanner;
    }

    /** Reads a table; empty when the bytes are something else. */
    public static Optional<TextTable> read(byte[] bytes) {
        return read(new String(bytes, StandardCharsets.UTF_8));
    }

    /** Reads a table; empty when the text is something else. */
    public static Optional<TextTable> read(String text) {
        TableReader reader = new TableReader(new JsonScanner(text));
        return reader.isTable()
                ? Optional.of(
                        new TextTable(
                                reader.version, reader.continueToken, reader.columns, reader.rows))
                : Optional.empty();
    }

    private boolean isTable() {
        try {
            if (scanner.isObject()) {
                readTable();
                return kind.equals("Table") && scanner.isAtEnd();
            }
        } catch (JsonScanner.MalformedException e) {
            // such as the page of another server
        }
        return false;
    }

    private void readTable() {
        scanner.readFields(
                field -> {
                    switch (field) {
                        case "kind" -> kind = text();
                        case "metadata" -> scanner.readFields(this::readListMetadata);
                        case "columnDefinitions" ->
                                scanner.readEach(() -> columns.add(readColumn()));
                        case "rows" -> scanner.readEach(() -> rows.add(readRow()));
                        default -> scanner.skip();
                    }
                });
    }

    private void readListMetadata(String field) {
        switch (field) {
            case "resourceVersion" -> version = text();
            case "continue" -> continueToken = text();
            default -> scanner.skip();
        }
    }

    private TextTable.Column readColumn() {
        String[] name = {""};
        boolean[] wide = {false};
        scanner.readFields(
                field -> {
                    switch (field) {
                        case "name" -> name[0] = text();
                        case "priority" -> wide[0] = !text().equals("0");
                        default -> scanner.skip();
                    }
                });
        return new TextTable.Column(name[0], wide[0]);
    }

    private TextTable.Row readRow() {
        List<String> cells = new ArrayList<>();
        Map<String, String> identity = new HashMap<>();
        Map<String, String> labels = new HashMap<>();
        scanner.readFields(
                field -> {
                    switch (field) {
                        case "cells" -> scanner.readEach(() -> cells.add(cell()));
                        case "object" -> readObject(identity, labels);
                        default -> scanner.skip();
                    }
                });
        return new TextTable.Row(
                identity.getOrDefault("namespace", ""),
                identity.getOrDefault("name", ""),
                identity.getOrDefault("resourceVersion", ""),
                labels,
                cells);
    }

    private void readObject(Map<String, String> identity, Map<String, String> labels) {
        scanner.readFields(
                field -> {
                    if (field.equals("metadata")) {
                        scanner.readFields(inner -> readMetadata(inner, identity, labels));
                    } else {
                        scanner.skip();
                    }
                });
    }

    private void readMetadata(
            String field, Map<String, String> identity, Map<String, String> labels) {
        if (field.equals("labels")) {
            scanner.readFields(label -> readScalar(label, labels));
        } else {
            readScalar(field, identity);
        }
    }

    private void readScalar(String field, Map<String, String> values) {
        if (scanner.isStructure()) {
            scanner.skip();
        } else {
            values.put(field, text());
        }
    }

    private String text() {
        if (scanner.isStructure()) {
            scanner.skip();
            return "";
        }
        boolean isNull = scanner.isNull();
        String text = scanner.scalar();
        return isNull ? "" : text;
    }

    private String cell() {
        if (scanner.isStructure()) {
            scanner.skip();
            return "<structure>";
        }
        if (scanner.isNull()) {
            scanner.scalar();
            return "<none>";
        }
        String text = scanner.scalar();
        return text.isEmpty() ? "" : Text.oneLine(text);
    }
}
