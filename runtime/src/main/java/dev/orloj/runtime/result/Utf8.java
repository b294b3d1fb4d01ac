package dev.orloj.runtime.result;

/** Computes UTF-8 lengths and offsets of texts without encoding them. */
final class Utf8 {

    private Utf8() {}

    /** Returns the length of the text in bytes. */
    static long length(String text) {
        long bytes = 0;
        for (int i = 0; i < text.length(); ) {
            int codePoint = text.codePointAt(i);
            bytes += length(codePoint);
            i += Character.charCount(codePoint);
        }
        return bytes;
    }

    /**
     * Returns the index of the first character that is not completely within the given number of
     * bytes.
     */
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

    /** An unpaired surrogate is written as a question mark. */
    private static int length(int codePoint) {
        if (codePoint < 0x80 || codePoint >= 0xD800 && codePoint < 0xE000) {
            return 1;
        }
        return codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
    }
}
