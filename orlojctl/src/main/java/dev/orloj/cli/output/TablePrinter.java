package dev.orloj.cli.output;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Prints rows under headings, in aligned columns that grow when a later row needs it. In a terminal
 * it cuts cells, so that each row is one line.
 */
public final class TablePrinter {

    /** As the tables of kubectl have it. */
    private static final int MIN_WIDTH = 3;

    private final PrintStream out;
    private final Layout layout;
    private List<TextTable.Column> columns = List.of();
    private final List<Integer> widths = new ArrayList<>();
    private boolean headed;

    /**
     * Selects the parts of a table to print.
     *
     * @param wide whether to print the columns of the wide format
     * @param headings whether to print headings
     * @param namespaces whether to print the namespace in the first column
     * @param prefix of each name, such as {@code tool.orloj.dev/}; empty for none
     * @param width the columns of the terminal; 0 for no limit
     */
    public record Layout(
            boolean wide, boolean headings, boolean namespaces, String prefix, int width) {

        /** All that is printed, with headings, and nothing cut. */
        public static final Layout WHOLE = new Layout(false, true, false, "", 0);

        /** Returns the same layout, cut to the terminal of the console, if there is one. */
        public Layout within(Console console) {
            return new Layout(wide, headings, namespaces, prefix, console.width());
        }
    }

    public TablePrinter(PrintStream out, Layout layout) {
        this.out = out;
        this.layout = layout;
    }

    /** Prints the rows of a table. Prints the headings only once for several tables. */
    public void print(TextTable table) {
        if (!table.columns().isEmpty()) {
            columns = table.columns();
        }
        List<List<String>> lines = new ArrayList<>();
        if (layout.headings() && !headed) {
            lines.add(headings());
            headed = true;
        }
        for (TextTable.Row row : table.rows()) {
            lines.add(cells(row));
        }
        print(lines);
    }

    /** Prints lines of cells. */
    public void print(List<List<String>> lines) {
        List<List<String>> visible =
                lines.stream().map(line -> line.stream().map(Text::oneLine).toList()).toList();
        visible.forEach(this::widen);
        ColumnFit fit = ColumnFit.of(widths, layout.width(), layout.namespaces() ? 2 : 1);
        for (List<String> line : visible) {
            out.print(padded(line, fit) + "\n");
        }
    }

    private List<String> headings() {
        List<String> line = new ArrayList<>();
        if (layout.namespaces()) {
            line.add("NAMESPACE");
        }
        for (TextTable.Column column : columns) {
            if (layout.wide() || !column.wide()) {
                line.add(column.name().toUpperCase(Locale.ROOT));
            }
        }
        return line;
    }

    private List<String> cells(TextTable.Row row) {
        List<String> line = new ArrayList<>();
        if (layout.namespaces()) {
            line.add(row.namespace());
        }
        for (int i = 0; i < row.cells().size() && i < columns.size(); i++) {
            if (layout.wide() || !columns.get(i).wide()) {
                line.add((i == 0 ? layout.prefix() : "") + row.cells().get(i));
            }
        }
        return line;
    }

    private void widen(List<String> line) {
        for (int i = 0; i < line.size(); i++) {
            if (i == widths.size()) {
                widths.add(MIN_WIDTH);
            }
            widths.set(i, Math.max(widths.get(i), Text.width(line.get(i))));
        }
    }

    private String padded(List<String> line, ColumnFit fit) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < line.size(); i++) {
            String cell = Text.cut(line.get(i), fit.widths().get(i));
            text.append(cell);
            if (i < line.size() - 1) {
                text.repeat(' ', fit.widths().get(i) + fit.gap() - Text.width(cell));
            }
        }
        return layout.width() == 0 ? text.toString() : Text.cut(text.toString(), layout.width());
    }
}
