package dev.orloj.api.findings;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Where a text quotes or describes others instead of speaking itself: in short quotation marks, in
 * code, or behind a word such as "detects". A text that is one quotation speaks itself.
 */
final class Quotations {

    private static final int LONGEST = 200;
    private static final int WORDS_BEFORE = 14;
    private static final String OPENING = "\"“`'«";
    private static final String CLOSING = "\"”`'»";

    private static final Set<String> DESCRIBING =
            Set.of(
                    "detect",
                    "detects",
                    "detecting",
                    "detection",
                    "scan",
                    "scans",
                    "scanner",
                    "flag",
                    "flags",
                    "flagged",
                    "block",
                    "blocks",
                    "blocking",
                    "prevent",
                    "prevents",
                    "guard",
                    "guards",
                    "sanitize",
                    "sanitizes",
                    "identify",
                    "identifies",
                    "attack",
                    "attacks",
                    "malicious",
                    "injection",
                    "injections",
                    "jailbreak",
                    "jailbreaks",
                    "attempts",
                    "suspicious",
                    "classifies",
                    "filters",
                    "phrases",
                    "refuses",
                    "rejects",
                    "protects");

    private record Span(int start, int end) {}

    private final List<Span> spans = new ArrayList<>();
    private final String text;

    Quotations(String text) {
        this.text = text;
        int[] opened = new int[OPENING.length()];
        Arrays.fill(opened, -1);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n') {
                Arrays.fill(opened, -1);
            }
            if (OPENING.indexOf(c) >= 0 || CLOSING.indexOf(c) >= 0) {
                mark(c, i, opened);
            }
        }
    }

    private void mark(char c, int at, int[] opened) {
        int closes = CLOSING.indexOf(c);
        if (closes >= 0 && opened[closes] >= 0 && !isInWord(at)) {
            int length = at - opened[closes];
            if (length <= LONGEST && length * 10L < text.length() * 7L) {
                spans.add(new Span(opened[closes], at));
            }
            opened[closes] = -1;
            return;
        }
        int opens = OPENING.indexOf(c);
        if (opens >= 0 && (at == 0 || !Character.isLetterOrDigit(text.charAt(at - 1)))) {
            opened[opens] = at;
        }
    }

    private boolean isInWord(int at) {
        return at > 0
                && at + 1 < text.length()
                && Character.isLetterOrDigit(text.charAt(at - 1))
                && Character.isLetterOrDigit(text.charAt(at + 1));
    }

    /** Returns whether a place is in quotation marks. */
    boolean isQuoted(int at) {
        int low = 0;
        int high = spans.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (spans.get(middle).end() < at) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        for (int i = low; i < Math.min(spans.size(), low + OPENING.length()); i++) {
            if (spans.get(i).start() < at && at < spans.get(i).end()) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether the sentence of a word says before it that it describes attacks. */
    static boolean isDescribed(List<Words.Word> words, int first) {
        int sentence = words.get(first).sentence();
        for (int i = first - 1; i >= Math.max(0, first - WORDS_BEFORE); i--) {
            if (words.get(i).sentence() != sentence) {
                return false;
            }
            if (DESCRIBING.contains(words.get(i).text())) {
                return true;
            }
        }
        return false;
    }
}
