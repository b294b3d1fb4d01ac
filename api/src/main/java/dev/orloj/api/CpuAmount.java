package dev.orloj.api;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An amount of CPU in the notation of Docker or Kubernetes: {@code 0.5}, {@code 2}, {@code 500m}.
 * Keeps the original text, so that a manifest is returned as it was written.
 *
 * @param text the written form
 */
public record CpuAmount(@JsonValue String text) {

    private static final int MAX_LENGTH = 40;
    private static final int NANO_DIGITS = 9;
    private static final int MILLI_DIGITS = 3;

    /** What matches as a whole is an amount; also a regular expression of JavaScript. */
    public static final String REGEX = "^(\\d+(?:\\.\\d*)?|\\.\\d+)(m)?$";

    /** What to write instead of a text that is none. */
    public static final String EXPECTED = "must be a number of processors such as 0.5 or 500m";

    private static final Pattern WHOLE = Pattern.compile(REGEX);

    /**
     * @throws IllegalArgumentException when the text is not an amount, is finer than a billionth of
     *     a processor, or is more than nine billion of them
     */
    @JsonCreator
    public CpuAmount {
        nanos(text);
    }

    /** Returns the amount in billionths of a processor. */
    public long nanos() {
        return nanos(text);
    }

    private static long nanos(String text) {
        Matcher matcher = WHOLE.matcher(text);
        if (text.length() > MAX_LENGTH || !matcher.matches()) {
            throw new IllegalArgumentException(EXPECTED);
        }
        int digits = matcher.group(2) == null ? NANO_DIGITS : NANO_DIGITS - MILLI_DIGITS;
        try {
            return new BigDecimal(matcher.group(1)).movePointRight(digits).longValueExact();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(
                    "must have at most nine decimals, and be less than nine billion", e);
        }
    }
}
