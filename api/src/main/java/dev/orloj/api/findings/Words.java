package dev.orloj.api.findings;

import dev.orloj.api.character.CharacterClass;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The words of a text, folded: lower case, NFKC, without what is not seen, with ASCII for letters
 * that imitate it. Their places are those of the raw text.
 */
final class Words {

    /** Stands for each number. */
    static final String NUMBER = "#";

    private static final int MAX_WORD = 60;

    /**
     * @param sentence number of the sentence that it is in
     */
    record Word(String text, int start, int end, int sentence) {}

    private final List<Word> words = new ArrayList<>();
    private final String raw;
    private final boolean splitsCamelCase;
    private int sentence;

    private Words(String raw, boolean splitsCamelCase) {
        this.raw = raw;
        this.splitsCamelCase = splitsCamelCase;
    }

    /**
     * @param isName whether capitals begin words, as in names of arguments
     */
    static List<Word> of(String text, boolean isName) {
        Words words = new Words(text, isName);
        words.split();
        return words.words;
    }

    private void split() {
        int start = -1;
        int previous = ' ';
        for (int i = 0; i < raw.length(); ) {
            int c = raw.codePointAt(i);
            if (isPartOfWord(c)) {
                if (start >= 0 && splitsCamelCase && isHump(previous, c)) {
                    add(start, i);
                    start = i;
                }
                start = start < 0 ? i : start;
            } else {
                if (start >= 0 && !isApostrophe(c)) {
                    add(start, i);
                    start = -1;
                }
                endSentence(c, i);
            }
            previous = c;
            i += Character.charCount(c);
        }
        if (start >= 0) {
            add(start, raw.length());
        }
    }

    private static boolean isHump(int previous, int c) {
        return Character.isUpperCase(c) && Character.isLowerCase(previous);
    }

    private static boolean isApostrophe(int c) {
        return c == '\'' || c == '’';
    }

    private static boolean isPartOfWord(int c) {
        if (c < 0x7f) {
            return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
        }
        return Character.isLetterOrDigit(c)
                || Character.getType(c) == Character.NON_SPACING_MARK
                || c >= 0x24b6 && c <= 0x24e9
                || CharacterClass.of(c) != CharacterClass.VISIBLE;
    }

    private void endSentence(int c, int at) {
        int next = at + 1 < raw.length() ? raw.charAt(at + 1) : ' ';
        boolean ends =
                switch (c) {
                    case '.', '!', '?' -> Character.isWhitespace(next);
                    case '\n' -> next == '\n' || next == '-' || next == '*' || next == '#';
                    case 0x3002 -> true;
                    default -> false;
                };
        if (ends) {
            sentence++;
        }
    }

    private void add(int start, int end) {
        if (end - start > MAX_WORD) {
            return;
        }
        String word = raw.substring(start, end);
        String folded = isAscii(word) ? lower(word) : Confusables.fold(word);
        if (folded.indexOf('\'') >= 0 || folded.indexOf('’') >= 0) {
            folded = folded.replace("'", "").replace("’", "");
        }
        if (!folded.isEmpty()) {
            words.add(new Word(isNumber(folded) ? NUMBER : folded, start, end, sentence));
        }
    }

    private static String lower(String word) {
        return word.toLowerCase(Locale.ROOT);
    }

    private static boolean isAscii(String word) {
        for (int i = 0; i < word.length(); i++) {
            if (word.charAt(i) >= 0x7f) {
                return false;
            }
        }
        return true;
    }

    private static boolean isNumber(String word) {
        for (int i = 0; i < word.length(); i++) {
            if (word.charAt(i) < '0' || word.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }
}
