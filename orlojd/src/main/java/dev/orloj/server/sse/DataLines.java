package dev.orloj.server.sse;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Breaks long JSON into lines, where JSON allows white space: some clients, such as the official Go
 * SDK, read lines of at most 1 MiB. Does not break strings.
 */
final class DataLines {

    /** The maximum length that stays on one line. */
    static final int LONG = 512 * 1024;

    private DataLines() {}

    /**
     * @param json on one line, in UTF-8
     * @param separator written between two lines
     */
    static void write(byte[] json, byte[] separator, OutputStream out) throws IOException {
        int begin = 0;
        if (json.length > LONG) {
            boolean inText = false;
            for (int i = 0; i < json.length; i++) {
                byte each = json[i];
                if (inText && each == '\\') {
                    i++;
                } else if (each == '"') {
                    inText = !inText;
                } else if (!inText && each == ',' && isWorthABreak(json, begin, i)) {
                    out.write(json, begin, i + 1 - begin);
                    out.write(separator);
                    begin = i + 1;
                }
            }
        }
        out.write(json, begin, json.length - begin);
    }

    private static boolean isWorthABreak(byte[] json, int begin, int at) {
        return at - begin >= LONG / 2 && at + 1 < json.length;
    }
}
