package dev.orloj.api.findings;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Words in an order, with a limited number of other words between them. Matching looks at each
 * place at most {@code slots * gap} words ahead, whatever the text: there is no backtracking.
 *
 * @param slots each the words of which one is at its place
 */
record Phrase(FindingRule rule, FindingSeverity severity, List<Slot> slots) {

    /**
     * @param gap how many other words may stand before it
     */
    record Slot(int gap, Set<String> words) {}

    /**
     * Parses {@code rule severity word|word .2 word|word}, where {@code .2} allows up to two other
     * words between its neighbours.
     */
    static Phrase parse(String line) {
        String[] parts = line.strip().split(" +");
        FindingRule rule =
                FindingRule.find(parts[0])
                        .orElseThrow(() -> new IllegalArgumentException("No rule: " + line));
        FindingSeverity severity = FindingSeverity.valueOf(parts[1]);
        List<Slot> slots = new ArrayList<>();
        int gap = 0;
        for (int i = 2; i < parts.length; i++) {
            if (parts[i].startsWith(".")) {
                gap = Integer.parseInt(parts[i].substring(1));
            } else {
                slots.add(new Slot(gap, Set.of(parts[i].split("\\|"))));
                gap = 0;
            }
        }
        return new Phrase(rule, severity, List.copyOf(slots));
    }

    /** Returns the index of the last word if the phrase begins at a word; -1 if it does not. */
    int matchAt(List<Words.Word> words, int first) {
        int sentence = words.get(first).sentence();
        int at = first;
        for (Slot slot : slots.subList(1, slots.size())) {
            int last = Math.min(words.size() - 1, at + 1 + slot.gap());
            int found = -1;
            for (int i = at + 1; i <= last && found < 0; i++) {
                if (slot.gap() > 0 && words.get(i).sentence() != sentence) {
                    break;
                }
                found = slot.words().contains(words.get(i).text()) ? i : -1;
            }
            if (found < 0) {
                return -1;
            }
            at = found;
        }
        return at;
    }
}
