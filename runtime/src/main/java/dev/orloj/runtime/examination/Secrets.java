package dev.orloj.runtime.examination;

import java.util.List;

/**
 * Puts a marker in the place of texts that have the form of a known kind of credential: tokens with
 * the prefix of their issuer, JSON Web Tokens, and private keys in PEM. A secret without such a
 * form is not found.
 */
final class Secrets {

    static final String MARKER = "[secret removed by orloj]";

    private static final String KEY_BEGIN = "-----BEGIN ";
    private static final String KEY_END = "-----END ";
    private static final String DASHES = "-----";
    private static final int MAX_LABEL = 40;
    private static final int JWT_PART = 10;

    /**
     * @param extra characters besides letters and digits that the rest of the token can have
     * @param least length of the rest
     * @param most longest rest; a longer one is something else
     */
    private record Token(String prefix, String extra, int least, int most) {

        private static Token from(String prefix, String extra, int least) {
            return new Token(prefix, extra, least, Integer.MAX_VALUE);
        }
    }

    private static final List<Token> TOKENS =
            List.of(
                    new Token("AKIA", "", 16, 16),
                    new Token("ASIA", "", 16, 16),
                    Token.from("AIza", "_-", 35),
                    Token.from("ghp_", "", 30),
                    Token.from("gho_", "", 30),
                    Token.from("ghu_", "", 30),
                    Token.from("ghs_", "", 30),
                    Token.from("ghr_", "", 30),
                    Token.from("github_pat_", "_", 40),
                    Token.from("glpat-", "_-", 20),
                    Token.from("xoxb-", "-", 20),
                    Token.from("xoxp-", "-", 20),
                    Token.from("xoxa-", "-", 20),
                    Token.from("xoxr-", "-", 20),
                    Token.from("xoxs-", "-", 20),
                    Token.from("xapp-", "-", 20),
                    Token.from("sk-ant-", "_-", 30),
                    Token.from("sk-proj-", "_-", 30),
                    Token.from("sk-", "", 40),
                    Token.from("sk_live_", "", 16),
                    Token.from("rk_live_", "", 16),
                    Token.from("npm_", "", 36),
                    Token.from("pypi-AgE", "_-", 50),
                    Token.from("hf_", "", 30),
                    Token.from("SG.", "._-", 60));

    private final CharSequence text;
    private final FindingTally findings;
    private final TextCut cut;
    private int noJwtBefore;

    private Secrets(CharSequence text, FindingTally findings) {
        this.text = text;
        this.findings = findings;
        this.cut = new TextCut(text);
    }

    /** Returns the text itself if there is nothing to remove. */
    static CharSequence remove(CharSequence text, FindingTally findings) {
        return new Secrets(text, findings).remove();
    }

    private CharSequence remove() {
        char before = ' ';
        for (int i = 0; i < text.length(); ) {
            char c = text.charAt(i);
            int end = isPart(before, "_") ? i : end(c, i);
            if (end > i) {
                findings.add(FindingKind.SECRET);
                cut.replace(i, end, MARKER);
                before = ' ';
                i = end;
            } else {
                before = c;
                i++;
            }
        }
        return cut.rest();
    }

    /** Returns the end of the secret that begins here; its beginning if there is none. */
    private int end(char first, int start) {
        return switch (first) {
            case 'A', 'g', 'x', 's', 'r', 'n', 'p', 'h', 'S' -> token(start);
            case 'e' -> jwt(start);
            case '-' -> privateKey(start);
            default -> start;
        };
    }

    private int token(int start) {
        for (Token token : TOKENS) {
            if (startsWith(token.prefix(), start)) {
                int rest = start + token.prefix().length();
                int end = run(rest, token.extra());
                if (end - rest >= token.least() && end - rest <= token.most()) {
                    return end;
                }
            }
        }
        return start;
    }

    /** Three parts, the first two of which are objects. */
    private int jwt(int start) {
        if (start < noJwtBefore || !startsWith("eyJ", start)) {
            return start;
        }
        int header = run(start, "_-");
        int end = header;
        if (startsWith(".eyJ", header)) {
            int payload = run(header + 1, "_-");
            end = payload;
            if (payload < text.length() && text.charAt(payload) == '.') {
                end = run(payload + 1, "_-");
                if (end - payload > JWT_PART && header - start >= JWT_PART) {
                    return end;
                }
            }
        }
        // Otherwise each "eyJ" of a long run would read the run to its end.
        noJwtBefore = end;
        return start;
    }

    /** A key without an end lasts until the end of the text. */
    private int privateKey(int start) {
        if (!startsWith(KEY_BEGIN, start)) {
            return start;
        }
        int label = start + KEY_BEGIN.length();
        int end = label;
        while (end - label < MAX_LABEL && end < text.length() && text.charAt(end) != '-') {
            end++;
        }
        if (!startsWith(DASHES, end)
                || !text.subSequence(label, end).toString().contains("PRIVATE KEY")) {
            return start;
        }
        for (int i = end; i < text.length(); i++) {
            if (text.charAt(i) == '-' && startsWith(KEY_END, i)) {
                int close = i + KEY_END.length();
                while (close < text.length()
                        && text.charAt(close) != '-'
                        && text.charAt(close) != '\n') {
                    close++;
                }
                while (close < text.length() && text.charAt(close) == '-') {
                    close++;
                }
                return close;
            }
        }
        return text.length();
    }

    private int run(int start, String extra) {
        int end = start;
        while (end < text.length() && isPart(text.charAt(end), extra)) {
            end++;
        }
        return end;
    }

    private static boolean isPart(char c, String extra) {
        return c >= 'a' && c <= 'z'
                || c >= 'A' && c <= 'Z'
                || c >= '0' && c <= '9'
                || extra.indexOf(c) >= 0;
    }

    private boolean startsWith(String prefix, int start) {
        if (start + prefix.length() > text.length()) {
            return false;
        }
        for (int i = 0; i < prefix.length(); i++) {
            if (text.charAt(start + i) != prefix.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
