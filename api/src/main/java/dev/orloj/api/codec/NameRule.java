package dev.orloj.api.codec;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;

import java.util.Optional;
import java.util.regex.Pattern;

/** The rules for names of resources. The texts are those of Kubernetes. */
public enum NameRule {
    /** At most 63 characters. The name is also valid as a label value and as a host name. */
    LABEL(
            63,
            "[a-z0-9]([-a-z0-9]*[a-z0-9])?",
            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-',"
                    + " and must start and end with an alphanumeric character (e.g. 'my-name', or"
                    + " '123-abc')"),
    /** At most 253 characters, labels joined by dots. */
    SUBDOMAIN(
            253,
            "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*",
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-'"
                    + " or '.', and must start and end with an alphanumeric character (e.g."
                    + " 'example.com')"),
    /** At most 253 characters that fit in one segment of a path, such as {@code system:view}. */
    PATH_SEGMENT(
            253, "(?!\\.{1,2}$)[^/%\\p{Cntrl}]+", "may not be '.' or '..', or contain '/' or '%'");

    private final int maxLength;
    private final Pattern pattern;
    private final String remedy;

    NameRule(int maxLength, String regex, String remedy) {
        this.maxLength = maxLength;
        this.pattern = Pattern.compile(regex);
        this.remedy = remedy;
    }

    /** Returns the error in the name, if there is one. */
    public Optional<FieldError> check(FieldPath path, String name) {
        if (name.length() > maxLength) {
            return Optional.of(
                    FieldError.invalid(
                            path, name, "must be no more than " + maxLength + " characters"));
        }
        if (!pattern.matcher(name).matches()) {
            if (this == PATH_SEGMENT) {
                return Optional.of(FieldError.invalid(path, name, remedy));
            }
            // Only a name that violates the label rule alone gets the text of that rule. All others
            // get the text that people search for.
            String text = SUBDOMAIN.pattern.matcher(name).matches() ? remedy : SUBDOMAIN.remedy;
            return Optional.of(FieldError.invalid(path, name, text));
        }
        return Optional.empty();
    }
}
