package dev.orloj.server.rest.request;

import dev.orloj.api.ApiException;
import dev.orloj.server.rest.http.HttpExchange;

import org.jspecify.annotations.Nullable;

/** Determines the manager that owns the fields of a write. */
final class FieldManager {

    static final int MAX_LENGTH = 128;

    private static final String UNKNOWN = "unknown";

    private FieldManager() {}

    /**
     * The parameter of the client, otherwise the name of its program.
     *
     * @throws ApiException (Invalid)
     */
    static String of(HttpExchange exchange) {
        String given = exchange.query().text("fieldManager");
        if (given.isEmpty()) {
            return ofUserAgent(exchange.request().getHeader("User-Agent"));
        }
        if (given.codePointCount(0, given.length()) > MAX_LENGTH) {
            throw WriteParameters.invalid(
                    "FieldValueTooLong",
                    "Too long: may not be more than %d characters".formatted(MAX_LENGTH));
        }
        if (!given.codePoints().allMatch(FieldManager::isPrintable)) {
            throw WriteParameters.invalid(
                    "FieldValueInvalid",
                    "Invalid value: \"%s\": should only contain printable characters"
                            .formatted(given));
        }
        return given;
    }

    /** The part before the first slash: {@code kubectl/v1.32 (linux)} is {@code kubectl}. */
    static String ofUserAgent(@Nullable String header) {
        String program = header == null ? "" : header.split("/", 2)[0];
        String name =
                program.codePoints()
                        .filter(FieldManager::isPrintable)
                        .limit(MAX_LENGTH)
                        .collect(
                                StringBuilder::new,
                                StringBuilder::appendCodePoint,
                                StringBuilder::append)
                        .toString()
                        .strip();
        return name.isEmpty() ? UNKNOWN : name;
    }

    private static boolean isPrintable(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                    false;
            default ->
                    character == ' ' || Character.getType(character) != Character.SPACE_SEPARATOR;
        };
    }
}
