package dev.orloj.api.findings;

import org.jspecify.annotations.Nullable;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Finds text that addresses the model: phrases, markup of prompts, and files with secrets. What is
 * quoted or described is still found, as less severe.
 */
final class Directives {

    private static final Set<String> NEGATIONS =
            Set.of("not", "never", "dont", "cannot", "cant", "doesnt", "wont", "nor");

    private static final List<String> MARKUP =
            List.of(
                    "<|im_start|>",
                    "<|system|>",
                    "<|assistant|>",
                    "[inst]",
                    "<<sys>>",
                    "<system>",
                    "<system_prompt>",
                    "<hidden>",
                    "<secret>",
                    "<tool_call>",
                    "[system]",
                    "### system:",
                    "<system-reminder>");

    private static final List<String> MILD_MARKUP =
            List.of("<important>", "<critical>", "<mandatory>", "<override>");

    private static final List<String> PATHS =
            List.of(
                    "id_rsa",
                    "id_ed25519",
                    "id_ecdsa",
                    ".ssh/",
                    "~/.ssh",
                    ".aws/credentials",
                    "/etc/passwd",
                    "/etc/shadow",
                    "mcp.json",
                    ".git-credentials",
                    ".netrc",
                    ".pgpass",
                    "wallet.dat",
                    ".kube/config",
                    ".docker/config.json",
                    "/proc/self/environ",
                    ".env file",
                    "login.keychain",
                    "claude_desktop_config",
                    ".bash_history");

    private static final Set<String> TAKING =
            Set.of(
                    "read",
                    "send",
                    "cat",
                    "open",
                    "include",
                    "pass",
                    "load",
                    "copy",
                    "append",
                    "attach",
                    "upload",
                    "fetch",
                    "get",
                    "put",
                    "insert",
                    "reading",
                    "contents",
                    "content",
                    "provide",
                    "forward",
                    "post",
                    "paste");

    private static final int WORDS_AROUND = 12;

    private final DefinitionText text;
    private final FindingList findings;
    private @Nullable Quotations quotations;
    private final List<Words.Word> words;

    private Directives(DefinitionText text, FindingList findings) {
        this.text = text;
        this.findings = findings;
        this.words = Words.of(text.text(), text.role().isName());
    }

    static void examine(DefinitionText text, FindingList findings) {
        Directives directives = new Directives(text, findings);
        directives.phrases();
        String lower = text.text().toLowerCase(Locale.ROOT);
        if (lower.length() == text.text().length()) {
            directives.markup(lower, MARKUP, FindingSeverity.HIGH);
            directives.markup(lower, MILD_MARKUP, FindingSeverity.MEDIUM);
            directives.paths(lower);
        }
    }

    /** Returns whether a text has a phrase that is severe. */
    static boolean isSevere(String decoded) {
        List<Words.Word> words = Words.of(decoded, false);
        for (int i = 0; i < words.size(); i++) {
            for (Phrase phrase : Phrases.startingWith(words.get(i).text())) {
                if (phrase.severity().reaches(FindingSeverity.MEDIUM)
                        && phrase.matchAt(words, i) >= 0) {
                    return true;
                }
            }
        }
        String lower = decoded.toLowerCase(Locale.ROOT);
        return PATHS.stream().anyMatch(lower::contains);
    }

    private void phrases() {
        for (int i = 0; i < words.size(); i++) {
            for (Phrase phrase : Phrases.startingWith(words.get(i).text())) {
                int last = phrase.matchAt(words, i);
                if (last >= 0 && !isNegated(phrase, i)) {
                    int start = words.get(i).start();
                    int end = words.get(last).end();
                    boolean softened = isQuoted(start) || Quotations.isDescribed(words, i);
                    findings.add(
                            phrase.rule(),
                            softened ? phrase.severity().softened() : phrase.severity(),
                            text,
                            start,
                            end,
                            "The text \"%s\"".formatted(said(start, end))
                                    + (softened ? ", quoted or described" : ""));
                }
            }
        }
    }

    private boolean isQuoted(int at) {
        Quotations known = quotations;
        if (known == null) {
            known = new Quotations(text.text());
            quotations = known;
        }
        return known.isQuoted(at);
    }

    private String said(int start, int end) {
        return Excerpt.escape(text.text().substring(start, Math.min(end, start + 120)));
    }

    /** "Never ignore previous instructions" asks for the contrary. */
    private boolean isNegated(Phrase phrase, int first) {
        return phrase.rule() == FindingRule.OVERRIDE_DIRECTIVE
                && first > 0
                && NEGATIONS.contains(words.get(first - 1).text())
                && words.get(first - 1).sentence() == words.get(first).sentence();
    }

    private void markup(String lower, List<String> marks, FindingSeverity severity) {
        for (String mark : marks) {
            int at = lower.indexOf(mark);
            if (at >= 0) {
                boolean softened = isQuoted(at) || isDescribedAt(at);
                findings.add(
                        FindingRule.MODEL_MARKUP,
                        softened ? severity.softened() : severity,
                        text,
                        at,
                        at + mark.length(),
                        "The markup " + mark);
            }
        }
    }

    private boolean isDescribedAt(int at) {
        int word = wordAt(at);
        return word < words.size() && Quotations.isDescribed(words, word);
    }

    /** Returns the index of the first word that ends behind a place. */
    private int wordAt(int at) {
        int low = 0;
        int high = words.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (words.get(middle).end() <= at) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private void paths(String lower) {
        Set<Integer> places = new HashSet<>();
        for (String path : PATHS) {
            int at = lower.indexOf(path);
            if (at < 0 || !places.add(wordAt(at))) {
                continue;
            }
            boolean isTaken = text.role() == DefinitionText.Role.MEMBER || isTaken(wordAt(at));
            boolean softened = isQuoted(at) && !isTaken || isDescribedAt(at);
            FindingRule rule =
                    isTaken && !softened
                            ? FindingRule.EXFILTRATION_DIRECTIVE
                            : FindingRule.SENSITIVE_PATH;
            findings.add(
                    rule,
                    text,
                    at,
                    at + path.length(),
                    "The path %s%s"
                            .formatted(path, isTaken ? ", and a word that asks for it" : ""));
        }
    }

    private boolean isTaken(int word) {
        if (word >= words.size()) {
            return false;
        }
        int sentence = words.get(word).sentence();
        for (int i = Math.max(0, word - WORDS_AROUND); i < word; i++) {
            if (words.get(i).sentence() == sentence && TAKING.contains(words.get(i).text())) {
                return true;
            }
        }
        return false;
    }
}
