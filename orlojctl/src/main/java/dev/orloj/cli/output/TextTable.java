package dev.orloj.cli.output;

import java.util.ArrayList;
import java.util.List;

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
    public record Row(String namespace, String name, String version, List<String> cells) {

        public Row {
            cells = List.copyOf(cells);
        }
    }

    public TextTable {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
    }

    /** Returns this table with the rows of a further page appended. */
    public TextTable append(TextTable next) {
        List<Row> all = new ArrayList<>(rows);
        all.addAll(next.rows);
        return new TextTable(
                version, next.continueToken, columns.isEmpty() ? next.columns : columns, all);
    }
}
