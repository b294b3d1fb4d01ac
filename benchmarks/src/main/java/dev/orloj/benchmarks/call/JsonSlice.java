package dev.orloj.benchmarks.call;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * A JSON value as the bytes that spell it. Finds members by skipping what stands before them;
 * expects valid JSON.
 */
record JsonSlice(byte[] bytes, int from, int to) {

    /** The value of a member of this object; absent when there is none, or when this is none. */
    JsonSlice member(String name) {
        int at = skipSpace(from) + 1;
        while (at < to && bytes[skipSpace(at)] == '"') {
            int nameFrom = skipSpace(at);
            int nameTo = endOfString(nameFrom);
            int valueFrom = skipSpace(skipSpace(nameTo) + 1);
            int valueTo = endOfValue(valueFrom);
            if (spells(nameFrom + 1, nameTo - 1, name)) {
                return new JsonSlice(bytes, valueFrom, valueTo);
            }
            at = skipSpace(valueTo) + 1;
        }
        return new JsonSlice(bytes, to, to);
    }

    boolean isAbsent() {
        return from == to;
    }

    String text() {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    void writeTo(ByteArrayOutputStream out) {
        out.write(bytes, from, to - from);
    }

    private int skipSpace(int start) {
        int at = start;
        while (at < to && bytes[at] <= ' ') {
            at++;
        }
        return at;
    }

    private int endOfValue(int start) {
        return switch (bytes[start]) {
            case '"' -> endOfString(start);
            case '{', '[' -> endOfContainer(start);
            default -> endOfScalar(start);
        };
    }

    private int endOfString(int start) {
        int at = start + 1;
        while (bytes[at] != '"') {
            at += bytes[at] == '\\' ? 2 : 1;
        }
        return at + 1;
    }

    private int endOfContainer(int start) {
        int depth = 0;
        int at = start;
        do {
            switch (bytes[at]) {
                case '"' -> at = endOfString(at) - 1;
                case '{', '[' -> depth++;
                case '}', ']' -> depth--;
                default -> {}
            }
            at++;
        } while (depth > 0);
        return at;
    }

    private int endOfScalar(int start) {
        int at = start;
        while (at < to && ",]} \t\r".indexOf(bytes[at]) < 0) {
            at++;
        }
        return at;
    }

    private boolean spells(int start, int end, String name) {
        if (end - start != name.length()) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            if (bytes[start + i] != name.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
