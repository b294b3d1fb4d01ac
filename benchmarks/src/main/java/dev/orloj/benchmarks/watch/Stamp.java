package dev.orloj.benchmarks.watch;

import dev.orloj.benchmarks.store.Documents;

import java.nio.charset.StandardCharsets;

/** Finds the number that a change carries, without parsing the event. */
final class Stamp {

    private static final byte[] MARK =
            ("\"" + Documents.STAMP + "\":\"").getBytes(StandardCharsets.US_ASCII);

    private Stamp() {}

    /** Negative when there is none, as in a bookmark. */
    static long find(byte[] line) {
        for (int i = 0; i + MARK.length < line.length; i++) {
            if (line[i] == MARK[0] && isMark(line, i)) {
                return number(line, i + MARK.length);
            }
        }
        return -1;
    }

    private static boolean isMark(byte[] line, int at) {
        for (int i = 0; i < MARK.length; i++) {
            if (line[at + i] != MARK[i]) {
                return false;
            }
        }
        return true;
    }

    private static long number(byte[] line, int at) {
        long value = 0;
        for (int i = at; i < line.length && line[i] >= '0' && line[i] <= '9'; i++) {
            value = value * 10 + line[i] - '0';
        }
        return value;
    }
}
