package dev.orloj.runtime.report;

import dev.orloj.api.report.Check;
import dev.orloj.api.report.Finding;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Collects what was found about tools: one finding for each check, of bounded length. */
final class FindingsByTool {

    private static final int SHOWN = 3;
    private static final int LONGEST_NAME = 80;

    private static final class Found {
        private final List<String> shown = new ArrayList<>();
        private int count = 0;
    }

    private final Map<Check, Found> found = new EnumMap<>(Check.class);

    /**
     * @param what completes a sentence that begins with the tool
     */
    void add(Check check, String tool, String what) {
        String name = tool.length() > LONGEST_NAME ? tool.substring(0, LONGEST_NAME) + "…" : tool;
        addSentence(check, "Tool \"%s\" %s".formatted(name, what));
    }

    void addSentence(Check check, String sentence) {
        Found entry = found.computeIfAbsent(check, _ -> new Found());
        entry.count++;
        if (entry.shown.size() < SHOWN) {
            entry.shown.add(sentence);
        }
    }

    List<Finding> all() {
        List<Finding> all = new ArrayList<>();
        found.forEach(
                (check, entry) -> {
                    int more = entry.count - entry.shown.size();
                    String rest = more == 0 ? "" : "; and %,d more".formatted(more);
                    all.add(Finding.of(check, String.join("; ", entry.shown) + rest));
                });
        return all;
    }
}
