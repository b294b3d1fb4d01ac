package dev.orloj.cli.output;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Holds resources in the table format of the server.
 *
 * @param version the revision that the table shows
 * @param continueToken requests the next page; empty on the last
 */
public record TextTable(
        String version, String continueToken, List<Column> columns, List<Row> rows) {

    /**
     * A column.
     *
     * @param wide whether it is printed only in the wide format
     */
    public record Column(String name, boolean wide) {}

    /** One resource. */
    public record Row(
            String namespace,
            String name,
            String version,
            Map<String, String> labels,
            List<String> cells) {

        public Row {
            cells = List.copyOf(cells);
        }

        private Row with(List<String> more) {
            List<String> all = new ArrayList<>(cells);
            all.addAll(more);
            return new Row(namespace, name, version, labels, all);
        }
    }

    public TextTable {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
    }

    /**
     * Returns this table with columns for labels after the others.
     *
     * @param keys one column for each
     * @param all whether one more column has all labels
     */
    public TextTable withLabels(List<String> keys, boolean all) {
        List<Column> headed = new ArrayList<>(columns);
        if (!columns.isEmpty()) {
            keys.forEach(
                    key -> headed.add(new Column(key.substring(key.lastIndexOf('/') + 1), false)));
            if (all) {
                headed.add(new Column("Labels", false));
            }
        }
        return new TextTable(
                version,
                continueToken,
                headed,
                rows.stream().map(row -> row.with(labelCells(row, keys, all))).toList());
    }

    private static List<String> labelCells(Row row, List<String> keys, boolean all) {
        List<String> cells = new ArrayList<>();
        keys.forEach(key -> cells.add(row.labels().getOrDefault(key, "")));
        if (all) {
            cells.add(
                    row.labels().isEmpty()
                            ? "<none>"
                            : new TreeMap<>(row.labels())
                                    .entrySet().stream()
                                            .map(e -> e.getKey() + "=" + e.getValue())
                                            .collect(Collectors.joining(",")));
        }
        return cells;
    }

    /** Returns this table with its rows in another order. */
    public TextTable sorted(Comparator<Row> order) {
        return new TextTable(version, continueToken, columns, rows.stream().sorted(order).toList());
    }

    /** Returns this table with the rows of a further page appended. */
    public TextTable append(TextTable next) {
        List<Row> all = new ArrayList<>(rows);
        all.addAll(next.rows);
        return new TextTable(
                version, next.continueToken, columns.isEmpty() ? next.columns : columns, all);
    }
}
