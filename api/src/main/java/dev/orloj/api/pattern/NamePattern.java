package dev.orloj.api.pattern;

/**
 * A pattern for names. {@code *} matches any number of characters, including none, and {@code ?}
 * matches one. A match takes at most time in proportion to the product of both lengths.
 */
record NamePattern(String text) {

    boolean isLiteral() {
        return text.indexOf('*') < 0 && text.indexOf('?') < 0;
    }

    boolean matches(String name) {
        int at = 0;
        int in = 0;
        int star = -1;
        int retry = 0;
        while (at < name.length()) {
            if (in < text.length() && text.charAt(in) == '*') {
                star = in++;
                retry = at;
            } else if (in < text.length()
                    && (text.charAt(in) == '?' || text.charAt(in) == name.charAt(at))) {
                in++;
                at++;
            } else if (star >= 0) {
                in = star + 1;
                at = ++retry;
            } else {
                return false;
            }
        }
        while (in < text.length() && text.charAt(in) == '*') {
            in++;
        }
        return in == text.length();
    }
}
