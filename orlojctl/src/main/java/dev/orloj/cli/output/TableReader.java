package dev.orloj.cli.output;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.json.JsonFactory;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Parses the wire format of a table token by token. {@code get}, the most frequent command, needs
 * no other part of the JSON library; the rest would take as long to load as the command runs.
 */
public final class TableReader {

    private final JsonParser parser;
    private String kind = "";
    private String version = "";
    private String continueToken = "";
    private final List<TextTable.Column> columns = new ArrayList<>();
    private final List<TextTable.Row> rows = new ArrayList<>();

    private TableReader(JsonParser parser) {
        this.parser = parser;
    }

    /** Reads a table; empty when the bytes are something else. */
    public static Optional<TextTable> read(InputStream bytes) {
        try (JsonParser parser = new JsonFactory().createParser(bytes)) {
            return read(parser);
        }
    }

    /** Reads the table at the position of the parser. */
    public static Optional<TextTable> read(JsonParser parser) {
        TableReader reader = new TableReader(parser);
        if (parser.nextToken() == JsonToken.START_OBJECT) {
            reader.readTable();
        }
        return reader.kind.equals("Table")
                ? Optional.of(
                        new TextTable(
                                reader.version, reader.continueToken, reader.columns, reader.rows))
                : Optional.empty();
    }

    private void readTable() {
        readFields(
                field -> {
                    switch (field) {
                        case "kind" -> kind = text();
                        case "metadata" -> readFields(this::readListMetadata);
                        case "columnDefinitions" -> readEach(() -> columns.add(readColumn()));
                        case "rows" -> readEach(() -> rows.add(readRow()));
                        default -> parser.skipChildren();
                    }
                });
    }

    private void readListMetadata(String field) {
        switch (field) {
            case "resourceVersion" -> version = text();
            case "continue" -> continueToken = text();
            default -> parser.skipChildren();
        }
    }

    private TextTable.Column readColumn() {
        String[] name = {""};
        boolean[] wide = {false};
        readFields(
                field -> {
                    switch (field) {
                        case "name" -> name[0] = text();
                        case "priority" -> wide[0] = !text().equals("0");
                        default -> parser.skipChildren();
                    }
                });
        return new TextTable.Column(name[0], wide[0]);
    }

    private TextTable.Row readRow() {
        List<String> cells = new ArrayList<>();
        Map<String, String> identity = new HashMap<>();
        Map<String, String> labels = new HashMap<>();
        readFields(
                field -> {
                    switch (field) {
                        case "cells" -> readEach(() -> cells.add(cell()));
                        case "object" -> readObject(identity, labels);
                        default -> parser.skipChildren();
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
        readFields(
                field -> {
                    if (field.equals("metadata")) {
                        readFields(inner -> readMetadata(inner, identity, labels));
                    } else {
                        parser.skipChildren();
                    }
                });
    }

    private void readMetadata(
            String field, Map<String, String> identity, Map<String, String> labels) {
        if (field.equals("labels")) {
            readFields(label -> readScalar(label, labels));
        } else {
            readScalar(field, identity);
        }
    }

    private void readScalar(String field, Map<String, String> values) {
        if (parser.currentToken().isScalarValue()) {
            values.put(field, text());
        } else {
            parser.skipChildren();
        }
    }

    /**
     * Passes each field name with the parser at its value; a value that is not an object has no
     * fields.
     */
    private void readFields(Consumer<String> field) {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            parser.skipChildren();
            return;
        }
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            field.accept(name);
        }
    }

    private void readEach(Runnable element) {
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            parser.skipChildren();
            return;
        }
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            element.run();
        }
    }

    private String text() {
        return parser.currentToken() == JsonToken.VALUE_NULL ? "" : parser.getString();
    }

    private String cell() {
        if (parser.currentToken() == JsonToken.VALUE_NULL) {
            return "<none>";
        }
        if (parser.currentToken().isStructStart()) {
            parser.skipChildren();
            return "<structure>";
        }
        String text = parser.getString();
        return text.isEmpty() ? "" : Text.oneLine(text);
    }
}
