package dev.orloj.runtime.http;

/**
 * A header or query parameter of the requests of a tool.
 *
 * @param value a template with placeholders for arguments, unless it is a secret
 * @param isSecret whether the value is used literally and never shown
 */
public record RequestParameter(String name, String value, boolean isSecret) {

    @Override
    public String toString() {
        return isSecret ? name + "=***" : name + "=" + value;
    }

    TextTemplate template(String field) {
        return isSecret ? TextTemplate.literal(value) : TextTemplate.parse(field, value);
    }
}
