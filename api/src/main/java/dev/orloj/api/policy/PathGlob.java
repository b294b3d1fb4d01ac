package dev.orloj.api.policy;

/**
 * Matches absolute paths with a pattern: {@code *} stands for any characters but {@code /}, {@code
 * **} for any characters, everything else for itself. Takes time in proportion to the product of
 * both lengths.
 */
final class PathGlob {

    /** The longest path of the kernel. */
    private static final int LONGEST = 4096;

    private PathGlob() {}

    /** Returns whether a path is absolute, and no part of it is empty, {@code .} or {@code ..}. */
    static boolean isPlain(String path) {
        if (!path.startsWith("/") || path.length() > LONGEST || path.indexOf('\0') >= 0) {
            return false;
        }
        for (String part : path.substring(1).split("/", -1)) {
            if (part.isEmpty() || part.equals(".") || part.equals("..")) {
                return false;
            }
        }
        return true;
    }

    static boolean matches(String pattern, String path) {
        // Whether the part of the pattern that was read matches the path up to each place.
        boolean[] reached = new boolean[path.length() + 1];
        reached[0] = true;
        int at = 0;
        while (at < pattern.length()) {
            if (pattern.charAt(at) != '*') {
                step(reached, path, pattern.charAt(at++));
            } else {
                int end = at;
                while (end < pattern.length() && pattern.charAt(end) == '*') {
                    end++;
                }
                spread(reached, path, end - at > 1);
                at = end;
            }
        }
        return reached[path.length()];
    }

    private static void step(boolean[] reached, String path, char next) {
        for (int i = path.length(); i > 0; i--) {
            reached[i] = reached[i - 1] && path.charAt(i - 1) == next;
        }
        reached[0] = false;
    }

    private static void spread(boolean[] reached, String path, boolean crosses) {
        for (int i = 1; i <= path.length(); i++) {
            reached[i] |= reached[i - 1] && (crosses || path.charAt(i - 1) != '/');
        }
    }
}
