package dev.orloj.cli.ledger;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The difference between two texts by words: {@code [-old-]} and {@code {+new+}}. */
final class WordDiff {

    private static final Pattern WORD = Pattern.compile("\\s+|[\\p{L}\\p{N}_]+|.", Pattern.DOTALL);

    /** The largest table; texts that need a larger one are shown as a whole. */
    private static final long MAX_CELLS = 4_000_000;

    private WordDiff() {}

    static String of(String before, String after) {
        List<String> old = words(before);
        List<String> now = words(after);
        int start = 0;
        while (start < Math.min(old.size(), now.size()) && old.get(start).equals(now.get(start))) {
            start++;
        }
        int end = 0;
        while (end < Math.min(old.size(), now.size()) - start
                && old.get(old.size() - 1 - end).equals(now.get(now.size() - 1 - end))) {
            end++;
        }
        StringBuilder text = new StringBuilder(String.join("", old.subList(0, start)));
        compare(old.subList(start, old.size() - end), now.subList(start, now.size() - end), text);
        return text.append(String.join("", old.subList(old.size() - end, old.size()))).toString();
    }

    private static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(text);
        while (matcher.find()) {
            words.add(matcher.group());
        }
        return words;
    }

    private static void compare(List<String> old, List<String> now, StringBuilder text) {
        if ((long) old.size() * now.size() > MAX_CELLS) {
            mark(old, now, text);
            return;
        }
        int[][] common = new int[old.size() + 1][now.size() + 1];
        for (int i = old.size() - 1; i >= 0; i--) {
            for (int j = now.size() - 1; j >= 0; j--) {
                common[i][j] =
                        old.get(i).equals(now.get(j))
                                ? common[i + 1][j + 1] + 1
                                : Math.max(common[i + 1][j], common[i][j + 1]);
            }
        }
        List<String> removed = new ArrayList<>();
        List<String> added = new ArrayList<>();
        int i = 0;
        int j = 0;
        while (i < old.size() || j < now.size()) {
            if (i < old.size() && j < now.size() && old.get(i).equals(now.get(j))) {
                mark(removed, added, text);
                text.append(old.get(i++));
                j++;
            } else if (j == now.size()
                    || (i < old.size() && common[i + 1][j] >= common[i][j + 1])) {
                removed.add(old.get(i++));
            } else {
                added.add(now.get(j++));
            }
        }
        mark(removed, added, text);
    }

    private static void mark(List<String> removed, List<String> added, StringBuilder text) {
        if (!removed.isEmpty()) {
            text.append("[-").append(String.join("", removed)).append("-]");
        }
        if (!added.isEmpty()) {
            text.append("{+").append(String.join("", added)).append("+}");
        }
        removed.clear();
        added.clear();
    }
}
