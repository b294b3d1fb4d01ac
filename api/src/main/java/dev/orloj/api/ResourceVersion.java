package dev.orloj.api;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/**
 * The revision of a resource or a list: a positive number that grows with every write of its kind,
 * written as a decimal string (KEP-5504).
 *
 * @param value the revision; 0 means "none given"
 */
public record ResourceVersion(long value) implements Comparable<ResourceVersion> {

    /** No revision given. */
    public static final ResourceVersion UNSET = new ResourceVersion(0);

    public ResourceVersion {
        if (value < 0) {
            throw new IllegalArgumentException("resourceVersion " + value + " is negative");
        }
    }

    /**
     * Parses the decimal form. The empty string is {@link #UNSET}.
     *
     * @throws ApiException (BadRequest) when the text is not a revision
     */
    @JsonCreator
    public static ResourceVersion parse(String text) {
        if (text.isEmpty()) {
            return UNSET;
        }
        try {
            return new ResourceVersion(Long.parseUnsignedLong(text));
        } catch (IllegalArgumentException e) {
            throw ApiException.badRequest(
                    "Invalid value: \"%s\": resourceVersion must be a decimal number"
                            .formatted(text));
        }
    }

    public boolean isSet() {
        return value != 0;
    }

    @Override
    public int compareTo(ResourceVersion other) {
        return Long.compare(value, other.value);
    }

    @Override
    @JsonValue
    public String toString() {
        return isSet() ? Long.toString(value) : "";
    }
}
