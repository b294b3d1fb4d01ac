package dev.orloj.api.policy;

/**
 * Matches text with a pattern: {@code *} stands for any characters but {@code /}, everything else
 * for itself. Takes time in proportion to the product of both lengths at most.
 */
final class Glob {

    private Glob() {}

    static boolean matches(String pattern, String text) {
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
            } else if (star >= 0 && text.charAt(resume) != '/') {
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
