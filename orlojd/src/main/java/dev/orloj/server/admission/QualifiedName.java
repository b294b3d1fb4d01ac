package dev.orloj.server.admission;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.codec.NameRule;

import java.util.Optional;
import java.util.regex.Pattern;

/** Validates names of labels, annotations and finalizers: {@code [domain/]name}. */
final class QualifiedName {

    private static final int MAX_LENGTH = 63;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");
    private static final String REMEDY =
            "must be no more than 63 characters and consist of alphanumeric characters, '-', '_' or"
                    + " '.', and must start and end with an alphanumeric character";

    private QualifiedName() {}

    static Optional<FieldError> check(FieldPath path, String key) {
        int slash = key.indexOf('/');
        String name = key.substring(slash + 1);
        if (!isName(name)) {
            return Optional.of(FieldError.invalid(path, key, "name part " + REMEDY));
        }
        if (slash < 0) {
            return Optional.empty();
        }
        return NameRule.SUBDOMAIN
                .check(path, key.substring(0, slash))
                .map(_ -> FieldError.invalid(path, key, "prefix part must be a DNS subdomain"));
    }

    static Optional<FieldError> checkLabelValue(FieldPath path, String value) {
        return value.isEmpty() || isName(value)
                ? Optional.empty()
                : Optional.of(
                        FieldError.invalid(path, value, "a label value is empty or " + REMEDY));
    }

    private static boolean isName(String text) {
        return text.length() <= MAX_LENGTH && NAME.matcher(text).matches();
    }
}
