package dev.orloj.runtime.examination;

/**
 * Removes the query from links and images of Markdown and HTML if it carries data: a program that
 * shows the image, or follows the link, sends it. Data is a long run of letters and digits that are
 * no words, and any long query of an image. Addresses that are not the target of a link or an image
 * stay.
 */
final class DataLinks {

    static final int OPAQUE_RUN = 40;
    static final int OPAQUE_TOTAL = 64;
    static final int LONG_QUERY = 200;

    private static final int SHORTEST_RUN = 8;
    private static final int MAX_SCHEME = 16;

    private final CharSequence text;
    private final FindingTally findings;
    private final TextCut cut;
    private boolean isImage;

    private DataLinks(CharSequence text, FindingTally findings) {
        this.text = text;
        this.findings = findings;
        this.cut = new TextCut(text);
    }

    /** Returns the text itself if there is nothing to remove. */
    static CharSequence remove(CharSequence text, FindingTally findings) {
        return new DataLinks(text, findings).remove();
    }

    private CharSequence remove() {
        for (int i = 0; i < text.length(); ) {
            i =
                    switch (text.charAt(i)) {
                        case '!' -> {
                            isImage |= at(i + 1) == '[';
                            yield i + 1;
                        }
                        case ']' -> markdown(i + 1);
                        case 's', 'S' -> attribute("src", i, true);
                        case 'h', 'H' -> attribute("href", i, false);
                        default -> i + 1;
                    };
        }
        return cut.rest();
    }

    /** Examines what follows a bracket, and returns where to go on. */
    private int markdown(int at) {
        char c = at(at);
        if (c != '(' && c != ':') {
            return at;
        }
        boolean image = isImage || c == ':';
        isImage = false;
        int start = skipBlanks(at + 1);
        return at(start) == '<' ? target(start + 1, '>', image) : target(start, ')', image);
    }

    private int attribute(String name, int at, boolean image) {
        for (int i = 1; i < name.length(); i++) {
            if (Character.toLowerCase(at(at + i)) != name.charAt(i)) {
                return at + 1;
            }
        }
        int equals = skipBlanks(at + name.length());
        if (at(equals) != '=') {
            return at + name.length();
        }
        int start = skipBlanks(equals + 1);
        char quote = at(start);
        return quote == '"' || quote == '\''
                ? target(start + 1, quote, image)
                : target(start, ' ', image);
    }

    /**
     * Examines an address.
     *
     * @param closing ends it, unless it closes a parenthesis of the address; a blank if none is
     *     needed
     * @return where to go on
     */
    private int target(int start, char closing, boolean image) {
        if (!isAddress(start)) {
            return Math.min(start, text.length());
        }
        int end = end(start, closing);
        int query = start;
        while (query < end
                && text.charAt(query) != '?'
                && text.charAt(query) != '&'
                && text.charAt(query) != '#') {
            query++;
        }
        if (query < end && text.charAt(query) != '#') {
            int fragment = query + 1;
            while (fragment < end
                    && (text.charAt(fragment) != '#' || text.charAt(fragment - 1) == '&')) {
                fragment++;
            }
            if (image && fragment - query > LONG_QUERY || isOpaque(query + 1, fragment)) {
                findings.add(FindingKind.DATA_LINK);
                cut.replace(query, fragment, "");
            }
        }
        return end;
    }

    private int end(int start, char closing) {
        if (closing == '"' || closing == '\'') {
            int quote = quote(start, closing);
            if (quote >= 0) {
                return quote;
            }
        }
        boolean isWord = closing == ')' || closing == ' ';
        int open = 0;
        for (int i = start; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n' || c == '\r' || isWord && (c == ' ' || c == '\t')) {
                return i;
            }
            if (c == '\\' && closing != ' ') {
                i++;
            } else if (c == '(') {
                open++;
            } else if (c == '>' && closing == ' ' || c == closing && (c != ')' || open-- == 0)) {
                return i;
            }
        }
        return text.length();
    }

    /** Browsers ignore line ends in addresses. */
    private int quote(int start, char quote) {
        for (int i = start; i < text.length(); i++) {
            if (text.charAt(i) == quote) {
                return i;
            }
        }
        return -1;
    }

    /** Returns whether an absolute address begins here, with or without its scheme. */
    private boolean isAddress(int start) {
        int i = start;
        while (i - start < MAX_SCHEME && Character.isLetterOrDigit(at(i))) {
            i++;
        }
        if (i > start && at(i++) != ':') {
            return false;
        }
        return isSlash(at(i)) && isSlash(at(i + 1));
    }

    /** Browsers take both. */
    private static boolean isSlash(char c) {
        return c == '/' || c == '\\';
    }

    private boolean isOpaque(int start, int end) {
        int total = 0;
        int length = 0;
        int changes = 0;
        int before = 0;
        for (int i = start; i <= end; i++) {
            char c = i == end ? ' ' : text.charAt(i);
            if (isInRun(c) && !isBlank(i)) {
                int kind = kind(c);
                length += kind == 0 ? 0 : 1;
                changes += kind != 0 && before != 0 && kind != before ? 1 : 0;
                before = kind;
                continue;
            }
            if (length >= SHORTEST_RUN && changes * 5 >= length) {
                total += length;
                if (length >= OPAQUE_RUN || total >= OPAQUE_TOTAL) {
                    return true;
                }
            }
            length = 0;
            changes = 0;
            before = 0;
        }
        return false;
    }

    private static boolean isInRun(char c) {
        return kind(c) != 0 || c == '-' || c == '_' || c == '/' || c == '%';
    }

    /** Returns whether an encoded space begins here. */
    private boolean isBlank(int at) {
        return at(at) == '%' && at(at + 1) == '2' && at(at + 2) == '0';
    }

    private static int kind(char c) {
        if (c >= '0' && c <= '9') {
            return 1;
        }
        if (c >= 'a' && c <= 'z') {
            return 2;
        }
        return c >= 'A' && c <= 'Z' ? 3 : 0;
    }

    private int skipBlanks(int at) {
        int i = at;
        while (i < text.length() && text.charAt(i) <= ' ') {
            i++;
        }
        return i;
    }

    /** Returns a character that has no meaning here if there is none. */
    private char at(int i) {
        return i < text.length() ? text.charAt(i) : '\0';
    }
}
