package dev.orloj.runtime.result;

/** Lengths and places in UTF-8 of texts that are not encoded for it. */
final class Utf8 {

    private Utf8() {}

    /** How many bytes the text has. */
    static long length(String text) {
        long bytes = 0;
        for (int i = 0; i < text.length(); ) {
            int codePoint = text.codePointAt(i);
            bytes += length(codePoint);
            i += Character.charCount(codePoint);
        }
        return bytes;
    }

    /** The index of the first character that is not within the first so many bytes as a whole. */
    static int indexAt(String text, long bytes) {
        long left = bytes;
        int i = 0;
        while (i < text.length()) {
            int codePoint = text.codePointAt(i);
            left -= length(codePoint);
            if (left < 0) {
                return i;
            }
            i += Character.charCount(codePoint);
        }
        return i;
    }

    /** Half a surrogate pair is written as a question mark. */
    private static int length(int codePoint) {
        if (codePoint < 0x80 || codePoint >= 0xD800 && codePoint < 0xE000) {
            return 1;
        }
        return codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
    }
}
