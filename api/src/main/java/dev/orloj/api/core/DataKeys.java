package dev.orloj.api.core;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;

import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The common rules of Secrets and ConfigMaps: keys are file names, and the total size is limited.
 */
final class DataKeys {

    /** The most bytes of all values together. */
    static final int MAX_BYTES = 1024 * 1024;

    private static final Pattern KEY = Pattern.compile("[-._a-zA-Z0-9]{1,253}");

    private DataKeys() {}

    static List<FieldError> check(FieldPath path, Collection<String> keys) {
        return keys.stream()
                .filter(key -> !KEY.matcher(key).matches())
                .map(
                        key ->
                                FieldError.invalid(
                                        path.key(key),
                                        key,
                                        "a key must consist of alphanumeric characters, '-', '_' or"
                                                + " '.'"))
                .toList();
    }

    /** Returns the error for a change that an immutable resource does not allow. */
    static FieldError frozen(FieldPath path, String remedy) {
        return FieldError.forbidden(path, "field is immutable when `immutable` is set; " + remedy);
    }
}
