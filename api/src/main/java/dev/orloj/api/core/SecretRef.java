package dev.orloj.api.core;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.codec.NameRule;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Refers to a value of a Secret in the namespace of the server: {@code name} for the key {@code
 * value} or the only key, {@code name/key} or {@code name:key} for a specific key.
 *
 * @param key empty when the reference has none
 */
public record SecretRef(String name, String key) {

    /** The key for a reference without a key, if the Secret has several. */
    public static final String DEFAULT_KEY = "value";

    private static final Pattern KEY = Pattern.compile("[-._a-zA-Z0-9]+");

    public static SecretRef parse(String text) {
        int separator = text.indexOf('/') >= 0 ? text.indexOf('/') : text.indexOf(':');
        return separator < 0
                ? new SecretRef(text, "")
                : new SecretRef(text.substring(0, separator), text.substring(separator + 1));
    }

    public static Optional<FieldError> check(FieldPath path, String text) {
        SecretRef ref = parse(text);
        boolean keyIsGood =
                ref.key().isEmpty() ? text.equals(ref.name()) : KEY.matcher(ref.key()).matches();
        if (NameRule.SUBDOMAIN.check(path, ref.name()).isPresent() || !keyIsGood) {
            return Optional.of(
                    FieldError.invalid(
                            path, text, "must be the name of a Secret, or name/key of one"));
        }
        return Optional.empty();
    }

    @Override
    public String toString() {
        return key.isEmpty() ? name : name + "/" + key;
    }
}
