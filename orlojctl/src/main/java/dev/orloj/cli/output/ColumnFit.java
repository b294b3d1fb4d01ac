package dev.orloj.cli.output;

import java.util.ArrayList;
import java.util.List;

/**
 * The columns of a table, narrowed until a line fits the terminal: long texts first, then the space
 * between columns, and names last, which are what the next command takes.
 *
 * @param gap the space between two columns
 */
record ColumnFit(List<Integer> widths, int gap) {

    static final int GAP = 3;

    /** What is left of a text, of a name, and of both where that is too much. */
    private static final int TEXT = 12;

    private static final int NAME = 20;
    private static final int SHORT = 4;

    /**
     * Returns columns that fit, or the narrowest if none do.
     *
     * @param terminal the columns of the terminal; 0 for no limit
     * @param names the number of columns at the start that have names
     */
    static ColumnFit of(List<Integer> widths, int terminal, int names) {
        if (terminal == 0) {
            return new ColumnFit(widths, GAP);
        }
        List<Integer> fitting = List.of();
        int excess = 0;
        for (int gap = GAP; gap > 0; gap--) {
            fitting = new ArrayList<>(widths);
            excess = narrow(fitting, names, TEXT, excess(widths, gap, terminal));
            if (excess <= 0) {
                return new ColumnFit(fitting, gap);
            }
        }
        excess = narrow(fitting, 0, NAME, excess);
        excess = narrow(fitting, names, SHORT, excess);
        narrow(fitting, 0, 1, excess);
        return new ColumnFit(fitting, 1);
    }

    private static int excess(List<Integer> widths, int gap, int terminal) {
        int excess = gap * (widths.size() - 1) - terminal;
        for (int width : widths) {
            excess += width;
        }
        return excess;
    }

    /** Takes the excess from the widest columns, and returns what remains of it. */
    private static int narrow(List<Integer> widths, int first, int least, int excess) {
        int left = excess;
        while (left > 0) {
            int widest = -1;
            for (int i = first; i < widths.size(); i++) {
                if (widths.get(i) > least && (widest < 0 || widths.get(i) > widths.get(widest))) {
                    widest = i;
                }
            }
            if (widest < 0) {
                return left;
            }
            widths.set(widest, widths.get(widest) - 1);
            left--;
        }
        return left;
    }
}
