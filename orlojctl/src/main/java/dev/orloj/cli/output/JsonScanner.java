package dev.orloj.cli.output;

import java.util.function.Consumer;

/**
 * Walks through a JSON text in its order. For tables only, the answer to the most frequent command:
 * the JSON library computes large numbers when it is loaded, which takes 9 ms of processor time.
 */
final class JsonScanner {

    private static final int NO_CHARACTER = -1;

    private final String text;
    private int at;

    JsonScanner(String text) {
        this.text = text;
    }

    /** The text is no JSON. */
    static final class MalformedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        MalformedException(int at) {
            super("no JSON at character " + at, null, false, false);
        }
    }

    /**
     * Passes each field name with the scanner at its value, which the consumer reads or skips; a
     * value that is not an object has no fields.
     */
    void readFields(Consumer<String> field) {
        if (next() != '{') {
            skip();
            return;
        }
        at++;
        for (boolean isFirst = true; next() != '}'; isFirst = false) {
            if (!isFirst) {
                expect(',');
            }
            String name = string();
            expect(':');
            field.accept(name);
        }
        at++;
    }

    /** Runs for each element of an array, which it reads or skips. */
    void readEach(Runnable element) {
        if (next() != '[') {
            skip();
            return;
        }
        at++;
        for (boolean isFirst = true; next() != ']'; isFirst = false) {
            if (!isFirst) {
                expect(',');
            }
            element.run();
        }
        at++;
    }

    boolean isStructure() {
        int next = next();
        return next == '{' || next == '[';
    }

    boolean isNull() {
        return next() == 'n';
    }

    boolean isObject() {
        return next() == '{';
    }

    /** Returns whether nothing follows. */
    boolean isAtEnd() {
        return next() == NO_CHARACTER;
    }

    /** Reads a string, or the characters of another scalar. */
    String scalar() {
        if (next() == '"') {
            return string();
        }
        int start = at;
        while (at < text.length() && isOfWord(text.charAt(at))) {
            at++;
        }
        if (at == start) {
            throw new MalformedException(at);
        }
        return text.substring(start, at);
    }

    private static boolean isOfWord(char c) {
        return (c >= '0' && c <= '9')
                || (c >= 'a' && c <= 'z')
                || c == '-'
                || c == '+'
                || c == '.'
                || c == 'E';
    }

    /** Skips one value, however deep. */
    void skip() {
        int depth = 0;
        do {
            switch (next()) {
                case '{', '[' -> {
                    depth++;
                    at++;
                }
                case '}', ']' -> {
                    depth--;
                    at++;
                }
                case ',', ':' -> at++;
                default -> scalar();
            }
        } while (depth > 0);
        if (depth < 0) {
            throw new MalformedException(at);
        }
    }

    private int next() {
        while (at < text.length() && text.charAt(at) <= ' ') {
            at++;
        }
        return at < text.length() ? text.charAt(at) : NO_CHARACTER;
    }

    private void expect(char c) {
        if (next() != c) {
            throw new MalformedException(at);
        }
        at++;
    }

    private String string() {
        expect('"');
        int end = text.indexOf('"', at);
        if (end < 0) {
            throw new MalformedException(at);
        }
        if (text.indexOf('\\', at, end) < 0) {
            String plain = text.substring(at, end);
            at = end + 1;
            return plain;
        }
        StringBuilder string = new StringBuilder();
        while (true) {
            char c = character();
            if (c == '"') {
                return string.toString();
            }
            string.append(c == '\\' ? escaped() : c);
        }
    }

    private char character() {
        if (at == text.length()) {
            throw new MalformedException(at);
        }
        return text.charAt(at++);
    }

    private char escaped() {
        char c = character();
        return switch (c) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'u' -> unicode();
            case '"', '\\', '/' -> c;
            default -> throw new MalformedException(at);
        };
    }

    private char unicode() {
        int value = 0;
        for (int i = 0; i < 4; i++) {
            int digit = Character.digit(character(), 16);
            if (digit < 0) {
                throw new MalformedException(at);
            }
            value = value * 16 + digit;
        }
        return (char) value;
    }
}
