package dev.orloj.cli.output;

import java.util.ArrayList;
import java.util.List;

/**
 * Resources as the server wants them printed.
 *
 * @param version the revision that the table shows
 * @param continueToken asks for the next page; empty on the last
 */
public record TextTable(
        String version, String continueToken, List<Column> columns, List<Row> rows) {

    /**
     * A heading.
     *
     * @param wide whether it is printed only on demand
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

    /** This table with the rows of a further page below its own. */
    public TextTable append(TextTable next) {
        List<Row> all = new ArrayList<>(rows);
        all.addAll(next.rows);
        return new TextTable(
                version, next.continueToken, columns.isEmpty() ? next.columns : columns, all);
    }
}
