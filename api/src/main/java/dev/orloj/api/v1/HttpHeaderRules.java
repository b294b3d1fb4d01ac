package dev.orloj.api.v1;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.core.SecretRef;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Validates headers of requests over HTTP, of servers and of declared Tools. */
final class HttpHeaderRules {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");
    private static final Pattern VALUE = Pattern.compile("[\\t\\x20-\\x7e]*");

    /** The headers that HTTP itself writes, in lower case. */
    private static final Set<String> WRITTEN_BY_HTTP =
            Set.of(
                    "connection",
                    "content-length",
                    "expect",
                    "host",
                    "keep-alive",
                    "te",
                    "trailer",
                    "transfer-encoding",
                    "upgrade");

    private HttpHeaderRules() {}

    static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /**
     * @param name in lower case
     */
    static boolean isWrittenByHttp(String name) {
        return WRITTEN_BY_HTTP.contains(name);
    }

    /**
     * @param reserved whether Orloj writes the header of this name, in lower case, itself
     * @param names the names of other headers, to which this name is added
     */
    static void validateName(
            FieldPath path,
            McpServer.Header header,
            Predicate<String> reserved,
            Set<String> names,
            List<FieldError> errors) {
        String name = header.name().toLowerCase(Locale.ROOT);
        if (!isName(name)) {
            errors.add(
                    FieldError.invalid(
                            path.child("name"),
                            header.name(),
                            "must be the name of an HTTP header"));
        } else if (reserved.test(name)) {
            errors.add(
                    FieldError.forbidden(
                            path.child("name"),
                            "\"%s\" is written by Orloj itself".formatted(header.name())));
        } else if (!names.add(name)) {
            errors.add(FieldError.duplicate(path.child("name"), header.name()));
        }
    }

    /** Validates that a header or parameter has either a value or a valid reference to one. */
    static void validateSource(FieldPath path, McpServer.Header header, List<FieldError> errors) {
        if (header.value() != null && !header.secretRef().isEmpty()) {
            errors.add(
                    FieldError.invalid(
                            path, header.name(), "value and secretRef exclude each other"));
        } else if (header.value() == null && header.secretRef().isEmpty()) {
            errors.add(FieldError.required(path, "give value or secretRef"));
        }
        if (!header.secretRef().isEmpty()) {
            SecretRef.check(path.child("secretRef"), header.secretRef()).ifPresent(errors::add);
        }
    }

    /** Validates the characters of a value, if there is one. */
    static void validateValue(FieldPath path, McpServer.Header header, List<FieldError> errors) {
        if (header.value() != null && !VALUE.matcher(header.value()).matches()) {
            errors.add(
                    FieldError.invalid(
                            path.child("value"), "...", "must be printable ASCII on one line"));
        }
    }
}
