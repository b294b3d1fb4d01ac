package dev.orloj.runtime.jsonrpc;

import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;

/**
 * Finds the request id of a response that cannot be parsed: it is too deep, not UTF-8, or contains
 * a number that is too long. Examines only the members of the outermost object and decodes no
 * others.
 */
public final class UnreadableAnswer {

    private static final int MAX_DIGITS = 18;

    private final byte[] buffer;
    private final int end;
    private int position;

    private UnreadableAnswer(byte[] buffer, int offset, int length) {
        this.buffer = buffer;
        this.position = offset;
        this.end = offset + length;
    }

    /** Returns the id if it is an integer and the message is not a request of the server. */
    public static OptionalLong id(byte[] buffer, int offset, int length) {
        return new UnreadableAnswer(buffer, offset, length).id();
    }

    private OptionalLong id() {
        skipSpace();
        if (position >= end || buffer[position] != '{') {
            return OptionalLong.empty();
        }
        OptionalLong id = OptionalLong.empty();
        int depth = 0;
        while (position < end) {
            switch (buffer[position]) {
                case '{', '[' -> depth++;
                case '}', ']' -> depth--;
                case '"' -> {
                    int start = position + 1;
                    skipString();
                    if (depth == 1 && isName("method", start)) {
                        return OptionalLong.empty();
                    }
                    if (depth == 1 && id.isEmpty() && isName("id", start)) {
                        id = number();
                    }
                    continue;
                }
                default -> {}
            }
            position++;
        }
        return id;
    }

    private void skipSpace() {
        while (position < end && buffer[position] >= 0 && buffer[position] <= ' ') {
            position++;
        }
    }

    /** Skips the string that begins here. */
    private void skipString() {
        position++;
        while (position < end && buffer[position] != '"') {
            position += buffer[position] == '\\' ? 2 : 1;
        }
        position++;
    }

    /**
     * Returns whether the string that has just ended is this name and a value follows; advances to
     * the value.
     */
    private boolean isName(String name, int start) {
        if (position - 1 - start != name.length()
                || position > end
                || !new String(buffer, start, name.length(), StandardCharsets.ISO_8859_1)
                        .equals(name)) {
            return false;
        }
        skipSpace();
        if (position >= end || buffer[position] != ':') {
            return false;
        }
        position++;
        skipSpace();
        return true;
    }

    private OptionalLong number() {
        int start = position;
        while (position < end && buffer[position] >= '0' && buffer[position] <= '9') {
            position++;
        }
        int digits = position - start;
        return digits == 0 || digits > MAX_DIGITS
                ? OptionalLong.empty()
                : OptionalLong.of(
                        Long.parseLong(
                                new String(buffer, start, digits, StandardCharsets.ISO_8859_1)));
    }
}
