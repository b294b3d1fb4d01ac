package dev.orloj.api;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An amount of memory in the notation of Docker or Kubernetes: {@code 512m}, {@code 1g}, {@code
 * 64Mi}, {@code 1.5Gi}, {@code 67108864}. A single letter, in either case, has the meaning that
 * Docker gives it: a power of 1024. Keeps the original text, so that a manifest is returned as it
 * was written.
 *
 * @param text the written form
 */
public record ByteSize(@JsonValue String text) {

    private static final int MAX_LENGTH = 40;

    /** What matches as a whole is a size; also a regular expression of JavaScript. */
    public static final String REGEX =
            "^(\\d+(?:\\.\\d+)?)([bB]|[kmgtKMGT](?:[iI]|[bB]|[iI][bB])?)?$";

    /** What to write instead of a text that is none. */
    public static final String EXPECTED = "must be a size such as 512m, 1g or 64Mi";

    private static final Pattern WHOLE = Pattern.compile(REGEX);
    private static final Map<Character, Integer> SHIFTS =
            Map.of('b', 0, 'k', 10, 'm', 20, 'g', 30, 't', 40);

    /**
     * @throws IllegalArgumentException when the text is not a size, is not a whole number of bytes,
     *     or is more than 2^63 - 1 bytes
     */
    @JsonCreator
    public ByteSize {
        bytes(text);
    }

    public long bytes() {
        return bytes(text);
    }

    private static long bytes(String text) {
        Matcher matcher = WHOLE.matcher(text);
        if (text.length() > MAX_LENGTH || !matcher.matches()) {
            throw new IllegalArgumentException(EXPECTED);
        }
        String unit = matcher.group(2) == null ? "b" : matcher.group(2).toLowerCase(Locale.ROOT);
        int shift = SHIFTS.getOrDefault(unit.charAt(0), 0);
        BigDecimal bytes =
                new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(1L << shift));
        try {
            return bytes.longValueExact();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(
                    "must be a whole number of bytes, and less than 8192 Pi", e);
        }
    }
}
