package dev.orloj.cli.jsonpath;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** Parses one path at a position of a template. */
final class PathParser {

    private static final String END_OF_NAME = ".[]{}()'\",=!<>|?*:@ \t\n";

    private final String text;
    private int at;

    PathParser(String text, int at) {
        this.text = text;
        this.at = at;
    }

    int position() {
        return at;
    }

    /** Skips spaces and, if it is next, the character; fails at the end of the text. */
    boolean skipTo(char end) {
        skipSpaces();
        if (at >= text.length()) {
            throw new PathException("\"%s\" has an unclosed brace".formatted(text));
        }
        return take(end);
    }

    void skipSpaces() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    boolean takeWord(String word) {
        int end = at + word.length();
        boolean isNext =
                text.startsWith(word, at)
                        && end < text.length()
                        && (Character.isWhitespace(text.charAt(end)) || text.charAt(end) == '}');
        at = isNext ? end : at;
        return isNext;
    }

    boolean isAtQuote() {
        return peek() == '"' || peek() == '\'';
    }

    private char peek() {
        return at < text.length() ? text.charAt(at) : 0;
    }

    private boolean take(char c) {
        boolean isNext = peek() == c;
        at += isNext ? 1 : 0;
        return isNext;
    }

    private void require(char c) {
        if (!take(c)) {
            throw new PathException(
                    "\"%s\": expected '%c' at character %d".formatted(text, c, at + 1));
        }
    }

    /** Parses a quoted text with the escapes of Go. */
    String quoted() {
        char quote = text.charAt(at++);
        StringBuilder value = new StringBuilder();
        while (peek() != quote) {
            if (at >= text.length()) {
                throw new PathException("\"%s\" has an unclosed quote".formatted(text));
            }
            char c = text.charAt(at++);
            if (c == '\\' && at < text.length()) {
                char escaped = text.charAt(at++);
                c =
                        switch (escaped) {
                            case 'n' -> '\n';
                            case 't' -> '\t';
                            case 'r' -> '\r';
                            default -> escaped;
                        };
            }
            value.append(c);
        }
        at++;
        return value.toString();
    }

    /** Parses steps until something that is none. */
    List<Step> path() {
        List<Step> steps = new ArrayList<>();
        int start = at;
        if (!take('$')) {
            take('@');
        }
        while (at < text.length()) {
            if (text.startsWith("..", at)) {
                at += 2;
                steps.add(new Step.Descent());
                if (peek() != '[') {
                    steps.add(name());
                }
            } else if (take('.')) {
                if (peek() != '[' && !isEnd()) {
                    steps.add(name());
                }
            } else if (take('[')) {
                steps.add(bracket());
            } else if (at == start && isName()) {
                steps.add(name());
            } else {
                break;
            }
        }
        if (at == start) {
            throw new PathException(
                    "\"%s\": unexpected '%c' at character %d".formatted(text, peek(), at + 1));
        }
        return steps;
    }

    private boolean isEnd() {
        return peek() == '}' || peek() == 0 || Character.isWhitespace(peek()) || peek() == ')';
    }

    private boolean isName() {
        return END_OF_NAME.indexOf(peek()) < 0 && peek() != 0;
    }

    private Step name() {
        if (take('*')) {
            return new Step.Wildcard();
        }
        StringBuilder name = new StringBuilder();
        while (isName()) {
            char c = text.charAt(at++);
            // "\." is a dot in a name.
            name.append(c == '\\' && at < text.length() ? text.charAt(at++) : c);
        }
        if (name.isEmpty()) {
            throw new PathException(
                    "\"%s\": expected a name at character %d".formatted(text, at + 1));
        }
        return new Step.Field(name.toString());
    }

    private Step bracket() {
        skipSpaces();
        if (take('?')) {
            return filter();
        }
        List<List<Step>> parts = new ArrayList<>();
        do {
            skipSpaces();
            parts.add(isAtQuote() ? names() : List.of(part()));
            skipSpaces();
        } while (take(','));
        require(']');
        return parts.size() == 1 && parts.getFirst().size() == 1
                ? parts.getFirst().getFirst()
                : new Step.Union(parts);
    }

    /** Parses a quoted name, whose dots lead to fields below unless they are escaped. */
    private List<Step> names() {
        char quote = peek();
        int start = at + 1;
        int end = text.indexOf(quote, start);
        if (end < 0) {
            throw new PathException("\"%s\" has an unclosed quote".formatted(text));
        }
        at = end + 1;
        return new PathParser("." + text.substring(start, end), 0).path();
    }

    private Step part() {
        if (take('*')) {
            return new Step.Wildcard();
        }
        Integer from = number();
        if (!take(':')) {
            if (from == null) {
                throw new PathException(
                        "\"%s\": expected an index, a name in quotes, or a filter at character %d"
                                .formatted(text, at + 1));
            }
            return new Step.Slice(from, null, null, true);
        }
        Integer to = number();
        Integer step = take(':') ? number() : null;
        return new Step.Slice(from, to, step, false);
    }

    private @Nullable Integer number() {
        int start = at;
        take('-');
        while (Character.isDigit(peek())) {
            at++;
        }
        if (start == at) {
            return null;
        }
        try {
            return Integer.parseInt(text.substring(start, at));
        } catch (NumberFormatException e) {
            throw new PathException("\"%s\" is no index".formatted(text.substring(start, at)));
        }
    }

    private Step filter() {
        require('(');
        skipSpaces();
        Step.Operand left = operand();
        skipSpaces();
        String operator = operator();
        Step.Operand right = null;
        if (!operator.isEmpty()) {
            skipSpaces();
            right = operand();
            skipSpaces();
        }
        require(')');
        skipSpaces();
        require(']');
        return new Step.Filter(left, operator, right);
    }

    private String operator() {
        for (String operator : List.of("==", "!=", "<=", ">=", "<", ">")) {
            if (text.startsWith(operator, at)) {
                at += operator.length();
                return operator;
            }
        }
        return "";
    }

    private Step.Operand operand() {
        if (isAtQuote()) {
            return new Step.Operand.Literal(quoted(), true);
        }
        if (peek() == '@' || peek() == '$' || peek() == '.') {
            return new Step.Operand.Path(path());
        }
        int start = at;
        while (at < text.length() && " )=!<>".indexOf(peek()) < 0) {
            at++;
        }
        if (start == at) {
            throw new PathException(
                    "\"%s\": expected a value at character %d".formatted(text, at + 1));
        }
        return new Step.Operand.Literal(text.substring(start, at), false);
    }
}
