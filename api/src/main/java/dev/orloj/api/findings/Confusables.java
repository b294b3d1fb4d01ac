package dev.orloj.api.findings;

import dev.orloj.api.character.CharacterClass;

import java.text.Normalizer;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Letters that look like those of ASCII, in the sense of UTS 39. The tables of Unicode have 6,000
 * of them, for all pairs of scripts, and their library is larger than orlojctl. Names of tools are
 * ASCII almost without exception, so those that imitate ASCII are enough: Cyrillic, Greek,
 * Armenian, Cherokee and Latin letters here, and full-width and mathematical ones by NFKC.
 */
final class Confusables {

    private static final String PAIRS =
            "аaбbвbгrеeёeиuіiїiјjкkмmнhоoпnрpсcтtуyхxѕsԁdһhԛqԝwѵvүyӏlьb"
                    + "αaβbγyεeηnιiκkνvοoρpτtυuχxωwϲcϳjϱp"
                    + "աwգqհhյjոnսuցgօoքpզq"
                    + "ɑaɡgɩiıiʟlɴnʀrꜱsᴀaᴄcᴅdᴇeᴊjᴋkᴍmᴏoᴘpᴛtᴜuᴠvᴡwᴢzƅbɗdɛeɦhɱmŋnʂsʐz"
                    + "ᎪaᏴbᏟcᎠdᎬeᏀgᎻhᎥiᎫjᏦkᏞlᎷmᏢpᎡrᏚsᎢtᏙvᎳwᏃz";

    private static final Map<Integer, Character> ASCII = table();

    private Confusables() {}

    private static Map<Integer, Character> table() {
        Map<Integer, Character> table = new HashMap<>();
        for (int i = 0; i + 1 < PAIRS.length(); i += 2) {
            char letter = PAIRS.charAt(i);
            table.put((int) letter, PAIRS.charAt(i + 1));
            int capital = Character.toUpperCase((int) letter);
            if (capital > 0x7f) {
                table.put(capital, PAIRS.charAt(i + 1));
            }
        }
        return table;
    }

    /** Returns a text in lower case without what is not seen, with ASCII for its imitations. */
    static String fold(String text) {
        String compatible = Normalizer.normalize(text, Normalizer.Form.NFKC);
        StringBuilder folded = new StringBuilder(compatible.length());
        compatible
                .codePoints()
                .filter(c -> CharacterClass.of(c) == CharacterClass.VISIBLE)
                .forEach(
                        c -> {
                            Character ascii = ASCII.get(c);
                            if (ascii != null) {
                                folded.append(ascii.charValue());
                            } else {
                                folded.appendCodePoint(Character.toLowerCase(c));
                            }
                        });
        return folded.toString();
    }

    /**
     * Returns what a name looks like: two names with one skeleton can be taken for each other.
     * Separators do not count.
     */
    static String skeleton(String name) {
        String folded = fold(name.replace('I', 'l')).toLowerCase(Locale.ROOT);
        StringBuilder skeleton = new StringBuilder(folded.length());
        for (int i = 0; i < folded.length(); i++) {
            char c = folded.charAt(i);
            switch (c) {
                case '0' -> skeleton.append('o');
                case '1', 'i', '|' -> skeleton.append('l');
                case '5' -> skeleton.append('s');
                case '_', '-', '.', ' ' -> {}
                default -> skeleton.append(c);
            }
        }
        return skeleton.toString().replace("rn", "m").replace("vv", "w");
    }

    /** Returns whether letters of ASCII stand beside letters that imitate them. */
    static boolean isMixed(String name) {
        boolean hasAscii = false;
        boolean hasImitation = false;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c < 0x80) {
                hasAscii |= Character.isLetter(c);
            } else {
                hasImitation |= ASCII.containsKey((int) c);
            }
        }
        return hasAscii && hasImitation;
    }
}
