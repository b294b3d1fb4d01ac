package dev.orloj.api.findings;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Finds text that a rendered page does not show, text behind a run of blanks, images whose address
 * carries data, and stuffed descriptions. Each is one pass over the text.
 */
final class HiddenMarkup {

    static final int MAX_BLANKS = 100;
    static final int MAX_LINES = 20;
    static final int MAX_DESCRIPTION = 10_000;

    private static final int LEAST_WORDS = 60;
    private static final int SHORTEST_KEYWORD = 4;
    private static final int MAX_COMMENTS = 100;

    private static final List<String> STYLES =
            List.of(
                    "display:none",
                    "display: none",
                    "visibility:hidden",
                    "visibility: hidden",
                    "font-size:0",
                    "font-size: 0",
                    "opacity:0;",
                    "opacity: 0;",
                    "color:white",
                    "color: white",
                    "color:#fff",
                    "color: #fff");

    private HiddenMarkup() {}

    static void examine(DefinitionText text, FindingList findings) {
        padding(text, findings);
        String raw = text.text();
        if (raw.indexOf('<') >= 0) {
            comments(text, "<!--", "-->", findings);
            styles(text, findings);
        }
        if (raw.indexOf('[') >= 0) {
            comments(text, "[//]: #", "\n", findings);
            images(text, findings);
        }
        if (text.role() == DefinitionText.Role.PROSE) {
            stuffed(text, findings);
        }
    }

    private static void comments(
            DefinitionText text, String opening, String closing, FindingList findings) {
        String raw = text.text();
        int at = raw.indexOf(opening);
        if (at < 0) {
            return;
        }
        Quotations quotations = new Quotations(raw);
        for (int count = 0; at >= 0 && count < MAX_COMMENTS; count++) {
            int end = raw.indexOf(closing, at + opening.length());
            // What is never closed hides all that follows.
            int until = end < 0 ? raw.length() : end + closing.length();
            String inside =
                    raw.substring(
                            at + opening.length(),
                            Math.max(until - closing.length(), at + opening.length()));
            boolean speaks = Directives.isSevere(inside);
            FindingSeverity severity = speaks ? FindingSeverity.HIGH : FindingSeverity.MEDIUM;
            boolean isExample = !speaks && (quotations.isQuoted(at) || inside.length() < 12);
            findings.add(
                    FindingRule.HIDDEN_MARKUP,
                    isExample ? FindingSeverity.LOW : severity,
                    text,
                    at,
                    until,
                    speaks ? "A comment that addresses the model" : "A comment");
            at = raw.indexOf(opening, until);
        }
    }

    private static void styles(DefinitionText text, FindingList findings) {
        String lower = text.text().toLowerCase(Locale.ROOT);
        if (lower.length() != text.text().length() || !lower.contains("style=")) {
            return;
        }
        for (String style : STYLES) {
            int at = lower.indexOf(style);
            if (at >= 0) {
                findings.add(
                        FindingRule.HIDDEN_MARKUP,
                        text,
                        at,
                        at + style.length(),
                        "A style that hides text");
                return;
            }
        }
    }

    private static void padding(DefinitionText text, FindingList findings) {
        String raw = text.text();
        int start = 0;
        int lines = 0;
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (Character.isWhitespace(c) || Character.isSpaceChar(c) || c == 0x2800) {
                lines += c == '\n' ? 1 : 0;
                continue;
            }
            if (i - start >= MAX_BLANKS || lines >= MAX_LINES) {
                findings.add(
                        FindingRule.HIDDEN_BY_PADDING,
                        text,
                        start,
                        i,
                        "Text behind %,d blanks with %,d line ends".formatted(i - start, lines));
            }
            start = i + 1;
            lines = 0;
        }
    }

    private static void images(DefinitionText text, FindingList findings) {
        String raw = text.text();
        int at = raw.indexOf("![");
        for (int count = 0; at >= 0 && count < MAX_COMMENTS; count++) {
            int address = raw.indexOf("](", at);
            int end = address < 0 || address - at > 500 ? -1 : endOfAddress(raw, address + 2);
            if (end > 0) {
                String url = raw.substring(address + 2, end);
                if (url.contains("://") && url.indexOf('?') >= 0) {
                    findings.add(
                            FindingRule.DATA_LINK,
                            text,
                            at,
                            end,
                            "An image with parameters in its address");
                }
            }
            at = raw.indexOf("![", at + 2);
        }
    }

    private static int endOfAddress(String raw, int start) {
        int last = Math.min(raw.length(), start + 2_000);
        for (int i = start; i < last; i++) {
            char c = raw.charAt(i);
            if (c == ')' || Character.isWhitespace(c)) {
                return i;
            }
        }
        return -1;
    }

    private static void stuffed(DefinitionText text, FindingList findings) {
        if (text.text().length() > MAX_DESCRIPTION) {
            findings.add(
                    FindingRule.STUFFED_TEXT,
                    text,
                    0,
                    0,
                    "A text of %,d characters".formatted(text.text().length()));
            return;
        }
        if (!mayHaveWords(text.text())) {
            return;
        }
        List<Words.Word> words = Words.of(text.text(), false);
        if (words.size() < LEAST_WORDS) {
            return;
        }
        Map<String, Integer> counts = new HashMap<>();
        for (Words.Word word : words) {
            if (word.text().length() >= SHORTEST_KEYWORD
                    && counts.merge(word.text(), 1, Integer::sum) * 5 > words.size()) {
                findings.add(
                        FindingRule.STUFFED_TEXT,
                        text,
                        word.start(),
                        word.end(),
                        "One word makes up a fifth of the text");
                return;
            }
        }
    }

    /** Returns whether a text may have enough words to be stuffed; most descriptions have fewer. */
    private static boolean mayHaveWords(String text) {
        int ends = 1;
        for (int i = 0; i < text.length() && ends < LEAST_WORDS; i++) {
            char c = text.charAt(i);
            boolean isInWord = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
            ends += isInWord ? 0 : 1;
        }
        return ends >= LEAST_WORDS;
    }
}
