package dev.orloj.runtime.result;

import org.jspecify.annotations.Nullable;

/**
 * Limits the text of a result. Each bound is optional.
 *
 * @param maxBytes of UTF-8
 * @param maxTokens tokens of a language model, estimated at four bytes each
 */
public record OutputLimit(@Nullable Long maxBytes, @Nullable Long maxTokens) {

    public static final OutputLimit NONE = new OutputLimit(null, null);

    private static final long BYTES_PER_TOKEN = 4;

    public OutputLimit {
        requireAtLeastOne("bytes", maxBytes);
        requireAtLeastOne("tokens", maxTokens);
    }

    private static void requireAtLeastOne(String what, @Nullable Long number) {
        if (number != null && number < 1) {
            throw new IllegalArgumentException(
                    "Most %s of a result must be at least 1: %d".formatted(what, number));
        }
    }

    /** Returns this limit, with missing bounds taken from the other limit. */
    public OutputLimit orElse(OutputLimit other) {
        return new OutputLimit(
                maxBytes == null ? other.maxBytes : maxBytes,
                maxTokens == null ? other.maxTokens : maxTokens);
    }

    public boolean isNone() {
        return maxBytes == null && maxTokens == null;
    }

    /** Returns the lower bound of the two, in bytes. */
    long inBytes() {
        long bytes = maxBytes == null ? Long.MAX_VALUE : maxBytes;
        long tokens =
                maxTokens == null || maxTokens > Long.MAX_VALUE / BYTES_PER_TOKEN
                        ? Long.MAX_VALUE
                        : maxTokens * BYTES_PER_TOKEN;
        return Math.min(bytes, tokens);
    }
}
