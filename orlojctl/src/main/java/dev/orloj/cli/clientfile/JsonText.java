package dev.orloj.cli.clientfile;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds the positions of members in the text of a valid JSON document, which may have comments. */
final class JsonText {

    private final String text;

    /**
     * A member of an object, or an element of an array.
     *
     * @param key the name; the position in an array
     * @param start where the name, or the element, begins
     * @param valueStart where the value begins
     * @param end after the value
     * @param comma the position of the comma after it, or -1
     */
    record Member(String key, int start, int valueStart, int end, int comma) {}

    /**
     * An object or an array.
     *
     * @param open the position of the opening bracket
     * @param close the position of the closing bracket
     */
    record Container(int open, int close, List<Member> members) {

        Optional<Member> member(String key) {
            return members.stream().filter(m -> m.key().equals(key)).reduce((_, last) -> last);
        }
    }

    JsonText(String text) {
        this.text = text;
    }

    /** Returns the container to which a path of members leads. */
    Optional<Container> find(List<String> path) {
        int at = skipBlank(0);
        for (String name : path) {
            if (at >= text.length() || "{[".indexOf(text.charAt(at)) < 0) {
                return Optional.empty();
            }
            Optional<Member> member = container(at).member(name);
            if (member.isEmpty()) {
                return Optional.empty();
            }
            at = member.get().valueStart();
        }
        return at < text.length() && "{[".indexOf(text.charAt(at)) >= 0
                ? Optional.of(container(at))
                : Optional.empty();
    }

    private Container container(int open) {
        boolean isObject = text.charAt(open) == '{';
        List<Member> members = new ArrayList<>();
        int at = skipBlank(open + 1);
        while (text.charAt(at) != (isObject ? '}' : ']')) {
            int start = at;
            String key = Integer.toString(members.size());
            if (isObject) {
                int end = skipValue(at);
                key = unquote(text.substring(at, end));
                at = skipBlank(skipBlank(end) + 1); // the colon
            }
            int end = skipValue(at);
            int next = skipBlank(end);
            boolean hasComma = text.charAt(next) == ',';
            members.add(new Member(key, start, at, end, hasComma ? next : -1));
            at = hasComma ? skipBlank(next + 1) : next;
        }
        return new Container(open, at, members);
    }

    private static String unquote(String quoted) {
        JsonNode name = Syntax.JSON.parse("{\"x\": " + quoted + "}").path("x");
        return name.asString("");
    }

    /** Returns the position of the next character that is neither white space nor comment. */
    private int skipBlank(int from) {
        int at = from;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '/' && at + 1 < text.length()) {
                at = skipComment(at);
            } else if (Character.isWhitespace(c) || c == '\uFEFF') {
                at++;
            } else {
                return at;
            }
        }
        return at;
    }

    private int skipComment(int at) {
        boolean isLine = text.charAt(at + 1) == '/';
        int end = text.indexOf(isLine ? "\n" : "*/", at + 2);
        return end < 0 ? text.length() : end + (isLine ? 1 : 2);
    }

    /** Returns the position after the value, or the name, that begins here. */
    private int skipValue(int from) {
        int depth = 0;
        int at = from;
        do {
            char c = text.charAt(at);
            if (c == '"') {
                at = skipString(at);
            } else if (c == '/') {
                at = skipComment(at);
                continue;
            } else if (c == '{' || c == '[') {
                depth++;
                at++;
            } else if (c == '}' || c == ']') {
                depth--;
                at++;
            } else if (depth == 0) {
                return skipWord(at);
            } else {
                at++;
            }
        } while (depth > 0);
        return at;
    }

    private int skipWord(int from) {
        int at = from;
        while (at < text.length()
                && (Character.isLetterOrDigit(text.charAt(at))
                        || "+-.".indexOf(text.charAt(at)) >= 0)) {
            at++;
        }
        return at;
    }

    private int skipString(int from) {
        int at = from + 1;
        while (text.charAt(at) != '"') {
            at += text.charAt(at) == '\\' ? 2 : 1;
        }
        return at + 1;
    }
}
