package dev.orloj.api.spelling;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the known word that is closest to a misspelled one. */
public final class NearMiss {

    private NearMiss() {}

    /**
     * Returns the closest candidate if it is close enough to be the intended word. Upper case and
     * lower case are the same.
     *
     * @param word at most a few hundred characters
     */
    public static Optional<String> of(String word, Collection<String> candidates) {
        return candidates.stream()
                .filter(candidate -> isClose(word, candidate))
                .min(Comparator.comparingInt(candidate -> distance(word, candidate)));
    }

    /** One letter is not close to each other letter: the words have a letter in common. */
    private static boolean isClose(String word, String candidate) {
        int distance = distance(word, candidate);
        return distance <= Math.max(1, word.length() / 3)
                && distance < Math.max(word.length(), candidate.length());
    }

    /** Returns the number of letters to insert, delete, replace, or swap with a neighbor. */
    private static int distance(String word, String candidate) {
        String a = word.toLowerCase(Locale.ROOT);
        String b = candidate.toLowerCase(Locale.ROOT);
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    cost[i][j] = i + j;
                    continue;
                }
                int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                cost[i][j] =
                        Math.min(
                                cost[i - 1][j - 1] + change,
                                1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
                if (i > 1
                        && j > 1
                        && a.charAt(i - 1) == b.charAt(j - 2)
                        && a.charAt(i - 2) == b.charAt(j - 1)) {
                    cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
                }
            }
        }
        return cost[a.length()][b.length()];
    }
}
