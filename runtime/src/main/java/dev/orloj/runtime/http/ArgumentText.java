package dev.orloj.runtime.http;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/** Formats arguments as texts of a request. */
final class ArgumentText {

    private static final String UNRESERVED =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    private static final Pattern SEPARATOR = Pattern.compile("[/\\\\]");
    private static final int LONGEST_HEADER = 8 * 1024;

    private ArgumentText() {}

    /** Returns the argument, or null when it is absent or null. */
    static @Nullable JsonNode given(ObjectNode arguments, String name) {
        JsonNode value = arguments.get(name);
        return value == null || value.isNull() ? null : value;
    }

    /** Returns strings without quotes, and other values as JSON. */
    static String of(JsonNode value) {
        return value.isString() ? value.stringValue() : value.toString();
    }

    /** Returns a percent-encoded part of a path segment. */
    static String inPath(ObjectNode arguments, String name) throws UnfitArgumentsException {
        JsonNode value = given(arguments, name);
        if (value == null) {
            throw UnfitArgumentsException.required(name, "the path of spec.endpoint");
        }
        String text = scalar(name, value, "the path of the URL");
        if (text.isEmpty()) {
            throw UnfitArgumentsException.invalid(
                    name, "must not be empty, since it is a part of the path of the URL");
        }
        if (SEPARATOR.splitAsStream(text).anyMatch(ArgumentText::isDots)) {
            throw UnfitArgumentsException.invalid(
                    name, "must not have . or .. between slashes, since it is a part of a path");
        }
        return percentEncoded(text);
    }

    static boolean isDots(String segment) {
        return segment.equals(".") || segment.equals("..");
    }

    /** Returns a part of a header value; null when the argument is absent. */
    static @Nullable String inHeader(ObjectNode arguments, String name)
            throws UnfitArgumentsException {
        JsonNode value = given(arguments, name);
        if (value == null) {
            return null;
        }
        String text = scalar(name, value, "a header");
        if (!text.chars().allMatch(c -> c == '\t' || c >= ' ' && c <= '~')) {
            throw UnfitArgumentsException.invalid(
                    name, "must be printable ASCII on one line, since it goes into a header");
        }
        if (text.length() > LONGEST_HEADER) {
            throw UnfitArgumentsException.invalid(
                    name,
                    "must have at most %d characters, since it goes into a header"
                            .formatted(LONGEST_HEADER));
        }
        return text;
    }

    /** Returns the values of a query parameter, several for a list. */
    static List<String> inQuery(JsonNode value) {
        return value.isArray()
                ? value.valueStream().filter(item -> !item.isNull()).map(ArgumentText::of).toList()
                : List.of(of(value));
    }

    private static String scalar(String name, JsonNode value, String place)
            throws UnfitArgumentsException {
        if (value.isContainer()) {
            throw UnfitArgumentsException.invalid(
                    name, "must be a text, a number or a boolean, since it goes into " + place);
        }
        return of(value);
    }

    /** Encodes all characters except those that are never special in a URL (RFC 3986, 2.3). */
    static String percentEncoded(String text) {
        StringBuilder encoded = new StringBuilder(text.length() + 16);
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            if (UNRESERVED.indexOf(c) >= 0) {
                encoded.append(c);
            } else {
                encoded.append('%')
                        .append(Character.toUpperCase(Character.forDigit(c >> 4, 16)))
                        .append(Character.toUpperCase(Character.forDigit(c & 15, 16)));
            }
        }
        return encoded.toString();
    }
}
