package dev.orloj.cli.rendering;

import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.jsonpath.PathException;
import dev.orloj.cli.jsonpath.PathTemplate;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;

/** The columns of {@code custom-columns=HEADING:PATH,...}. */
public final class CustomColumns {

    private record Column(String heading, PathTemplate path) {}

    private final List<Column> columns;

    private CustomColumns(List<Column> columns) {
        this.columns = columns;
    }

    static CustomColumns parse(String text) {
        List<Column> columns = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            int colon = part.indexOf(':');
            if (colon < 1 || colon == part.length() - 1) {
                throw new UsageException(
                        "custom-columns: \"%s\" is not of the form HEADING:PATH, such as NAME:.metadata.name"
                                .formatted(part));
            }
            columns.add(column(part.substring(0, colon), part.substring(colon + 1)));
        }
        return new CustomColumns(columns);
    }

    /** Parses a file with a line of headings and a line of paths below them. */
    static CustomColumns parseFile(String text) {
        List<String> lines = text.lines().filter(line -> !line.isBlank()).toList();
        String[] headings =
                lines.isEmpty() ? new String[0] : lines.getFirst().strip().split("\\s+");
        String[] paths = lines.size() != 2 ? new String[0] : lines.getLast().strip().split("\\s+");
        if (paths.length == 0 || headings.length != paths.length) {
            throw new UsageException(
                    "custom-columns-file: expected a line of headings, and a line with a path for"
                            + " each");
        }
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < headings.length; i++) {
            columns.add(column(headings[i], paths[i]));
        }
        return new CustomColumns(columns);
    }

    private static Column column(String heading, String path) {
        try {
            return new Column(heading, PathTemplate.relaxed(path));
        } catch (PathException e) {
            throw new UsageException("custom-columns: " + e.getMessage());
        }
    }

    public List<String> headings() {
        return columns.stream().map(Column::heading).toList();
    }

    public List<String> line(JsonNode document) {
        return columns.stream().map(column -> column.path().column(document)).toList();
    }
}
