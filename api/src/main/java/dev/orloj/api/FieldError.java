package dev.orloj.api;

import java.util.Collection;
import java.util.stream.Collectors;

/**
 * An error in one field. The texts are those of Kubernetes field errors, which its clients print
 * unchanged.
 *
 * @param path the path of the field
 * @param type what is wrong, for machines
 * @param message what is wrong, with value and remedy, for people; without the path
 */
public record FieldError(FieldPath path, Type type, String message) {

    /** Reasons of a cause in a Status. The names are the wire names. */
    public enum Type {
        FieldValueRequired,
        FieldValueInvalid,
        FieldValueNotSupported,
        FieldValueDuplicate,
        FieldValueForbidden,
        FieldValueTypeInvalid,
        FieldValueTooLong,
        FieldValueTooMany
    }

    public static FieldError required(FieldPath path, String remedy) {
        return new FieldError(
                path,
                Type.FieldValueRequired,
                remedy.isEmpty() ? "Required value" : "Required value: " + remedy);
    }

    public static FieldError invalid(FieldPath path, Object value, String remedy) {
        return new FieldError(
                path, Type.FieldValueInvalid, "Invalid value: " + quote(value) + ": " + remedy);
    }

    public static FieldError notSupported(FieldPath path, Object value, Collection<String> known) {
        String supported =
                known.stream().sorted().map(FieldError::quote).collect(Collectors.joining(", "));
        return new FieldError(
                path,
                Type.FieldValueNotSupported,
                "Unsupported value: " + quote(value) + ": supported values: " + supported);
    }

    public static FieldError duplicate(FieldPath path, Object value) {
        return new FieldError(path, Type.FieldValueDuplicate, "Duplicate value: " + quote(value));
    }

    public static FieldError forbidden(FieldPath path, String remedy) {
        return new FieldError(path, Type.FieldValueForbidden, "Forbidden: " + remedy);
    }

    public static FieldError typeInvalid(FieldPath path, Object value, String remedy) {
        return new FieldError(
                path, Type.FieldValueTypeInvalid, "Invalid value: " + quote(value) + ": " + remedy);
    }

    public static FieldError tooLong(FieldPath path, int maximum) {
        return new FieldError(
                path,
                Type.FieldValueTooLong,
                "Too long: may not be more than " + maximum + " bytes");
    }

    public static FieldError tooMany(FieldPath path, int count, int maximum, String what) {
        return new FieldError(
                path,
                Type.FieldValueTooMany,
                "Too many: %d: must have at most %d %s".formatted(count, maximum, what));
    }

    private static String quote(Object value) {
        if (!(value instanceof String text)) {
            return String.valueOf(value);
        }
        String shown = text.length() > 200 ? text.substring(0, 200) + "..." : text;
        return '"' + shown.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }

    /** Formats the error, such as {@code spec.transport: Required value}. */
    @Override
    public String toString() {
        return path + ": " + message;
    }
}
