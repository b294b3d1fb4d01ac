package dev.orloj.api.policy;

/**
 * Matches text with a pattern: {@code *} stands for any characters, everything else for itself.
 * Takes time in proportion to the product of both lengths at most.
 */
final class Glob {

    private Glob() {}

    /** Matches with a {@code *} that does not stand for {@code /}. */
    static boolean matches(String pattern, String text) {
        return matches(pattern, text, false);
    }

    /** Matches with a {@code *} that stands for {@code /} too. */
    static boolean matchesAny(String pattern, String text) {
        return matches(pattern, text, true);
    }

    private static boolean matches(String pattern, String text, boolean crosses) {
        int p = 0;
        int t = 0;
        int star = -1;
        int resume = 0;
        while (t < text.length()) {
            if (p < pattern.length() && pattern.charAt(p) == '*') {
                star = p++;
                resume = t;
            } else if (p < pattern.length() && pattern.charAt(p) == text.charAt(t)) {
                p++;
                t++;
            } else if (star >= 0 && (crosses || text.charAt(resume) != '/')) {
                p = star + 1;
                t = ++resume;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }
}
