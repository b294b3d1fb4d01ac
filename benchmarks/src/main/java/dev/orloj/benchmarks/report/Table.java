package dev.orloj.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The outcome of one benchmark: things that were measured in the same run, side by side.
 *
 * @param loadTitle what the loads are, such as "callers"; empty when there is only one
 * @param ratios the quantities that are also shown relative to the baseline at the same load
 * @param baseline the subject that others are compared with
 * @param notes what a reader has to know
 */
public record Table(
        String name,
        String title,
        String loadTitle,
        List<Column> columns,
        List<String> ratios,
        String baseline,
        List<Row> rows,
        List<Goal> goals,
        List<String> notes) {

    public Table {
        columns = List.copyOf(columns);
        ratios = List.copyOf(ratios);
        rows = List.copyOf(rows);
        goals = List.copyOf(goals);
        notes = List.copyOf(notes);
    }

    /** The row of a subject under a load. */
    public static Optional<Row> find(List<Row> rows, String subject, String load) {
        return rows.stream()
                .filter(row -> row.subject().equals(subject) && row.load().equals(load))
                .findFirst();
    }

    /** A goal for a subject relative to another; none when one of them was not measured. */
    public static List<Goal> ratioGoal(
            List<Row> rows,
            String subject,
            String baseline,
            String load,
            String column,
            Goal.Bound bound,
            double limit) {
        OptionalDouble ratio =
                find(rows, subject, load)
                        .flatMap(row -> find(rows, baseline, load).map(b -> row.ratioTo(b, column)))
                        .orElse(OptionalDouble.empty());
        String at = load.isEmpty() ? "" : " at " + load;
        String text = "%s of %s%s, relative to %s".formatted(column, subject, at, baseline);
        return ratio.stream().mapToObj(r -> new Goal(text, r, bound, limit)).toList();
    }

    /** The quantity of a row relative to the baseline; empty for the baseline itself. */
    OptionalDouble ratio(Row row, String column) {
        if (row.subject().equals(baseline)) {
            return OptionalDouble.empty();
        }
        return find(rows, baseline, row.load())
                .map(base -> row.ratioTo(base, column))
                .orElse(OptionalDouble.empty());
    }

    /** All quantities that are shown relative to the baseline. */
    public List<Ratio> ratioLines() {
        List<Ratio> found = new ArrayList<>();
        for (Row row : rows) {
            for (String quantity : ratios) {
                ratio(row, quantity)
                        .ifPresent(
                                r -> found.add(new Ratio(row.subject(), row.load(), quantity, r)));
            }
        }
        return found;
    }

    /** As text for a terminal or a Markdown code block. */
    public String text() {
        List<List<String>> cells = new ArrayList<>();
        cells.add(head());
        rows.forEach(row -> cells.add(cells(row)));
        StringBuilder text = new StringBuilder(name + ": " + title + "\n\n");
        int[] widths = widths(cells);
        for (List<String> line : cells) {
            text.append(align(line, widths)).append('\n');
        }
        if (!goals.isEmpty()) {
            text.append('\n');
            goals.forEach(goal -> text.append(goal.line()).append('\n'));
        }
        if (!notes.isEmpty()) {
            text.append('\n');
            notes.forEach(note -> text.append("* ").append(note).append('\n'));
        }
        return text.toString();
    }

    private List<String> head() {
        List<String> head = new ArrayList<>();
        head.add(loadTitle);
        head.add("subject");
        columns.forEach(column -> head.add(column.title()));
        columns.stream()
                .filter(column -> ratios.contains(column.key()))
                .forEach(column -> head.add(column.key() + " x"));
        return head;
    }

    private List<String> cells(Row row) {
        List<String> cells = new ArrayList<>();
        cells.add(row.load());
        cells.add(row.subject());
        for (Column column : columns) {
            OptionalDouble value = row.value(column.key());
            cells.add(value.isPresent() ? column.format(value.getAsDouble()) : "");
        }
        for (Column column : columns) {
            if (ratios.contains(column.key())) {
                OptionalDouble ratio = ratio(row, column.key());
                cells.add(
                        ratio.isPresent()
                                ? String.format(Locale.ROOT, "%.2f", ratio.getAsDouble())
                                : "");
            }
        }
        return cells;
    }

    private static int[] widths(List<List<String>> cells) {
        int[] widths = new int[cells.getFirst().size()];
        for (List<String> line : cells) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], line.get(i).length());
            }
        }
        return widths;
    }

    /** Names to the left, numbers to the right. */
    private static String align(List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            if (widths[i] > 0) {
                String format = i == 1 ? "%-" + widths[i] + "s  " : "%" + widths[i] + "s  ";
                line.append(String.format(Locale.ROOT, format, cells.get(i)));
            }
        }
        return line.toString().stripTrailing();
    }
}
