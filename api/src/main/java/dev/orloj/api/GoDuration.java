package dev.orloj.api;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A duration in the notation of Go and Kubernetes: {@code 300ms}, {@code 1.5h}, {@code 2h45m},
 * {@code 0}. Keeps the original text, so that a manifest is returned as it was written.
 *
 * @param text the written form
 */
public record GoDuration(@JsonValue String text) {

    /** The most characters. A longer text would exhaust the stack of the matcher. */
    private static final int MAX_LENGTH = 100;

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final int NANO_DIGITS = 9;
    private static final Pattern PART =
            Pattern.compile("(\\d+(?:\\.\\d*)?|\\.\\d+)(ns|us|µs|ms|s|m|h)");
    private static final Pattern WHOLE = Pattern.compile("(?:" + PART.pattern() + ")+");

    /** What matches as a whole is a duration; also a regular expression of JavaScript. */
    public static final String REGEX = "^(?:0|(?:" + PART.pattern() + ")+)?$";

    /** What to write instead of a text that is none. */
    public static final String EXPECTED =
            "must be a duration such as 300ms, 5m or 1h30m, and not negative";

    private static final Map<String, Long> NANOS =
            Map.of(
                    "ns", 1L,
                    "us", 1_000L,
                    "µs", 1_000L,
                    "ms", 1_000_000L,
                    "s", 1_000_000_000L,
                    "m", 60_000_000_000L,
                    "h", 3_600_000_000_000L);

    /**
     * @throws IllegalArgumentException when the text is not a duration, is negative, or is longer
     *     than some 290 years
     */
    @JsonCreator
    public GoDuration {
        nanos(text);
    }

    public static GoDuration ofSeconds(long seconds) {
        return new GoDuration(seconds + "s");
    }

    /** Returns the duration in the shortest usual form, such as {@code 1h30m} or {@code 1.5s}. */
    public static GoDuration of(Duration duration) {
        if (duration.isZero()) {
            return ofSeconds(0);
        }
        if (duration.compareTo(Duration.ofSeconds(1)) < 0) {
            long nanos = duration.toNanos();
            return new GoDuration(
                    nanos % NANOS_PER_MILLI == 0 ? nanos / NANOS_PER_MILLI + "ms" : nanos + "ns");
        }
        BigDecimal seconds =
                BigDecimal.valueOf(duration.toSecondsPart())
                        .add(BigDecimal.valueOf(duration.toNanosPart(), NANO_DIGITS))
                        .stripTrailingZeros();
        return new GoDuration(
                (duration.toHours() == 0 ? "" : duration.toHours() + "h")
                        + (duration.toMinutesPart() == 0 ? "" : duration.toMinutesPart() + "m")
                        + (seconds.signum() == 0 ? "" : seconds.toPlainString() + "s"));
    }

    public Duration toDuration() {
        return Duration.ofNanos(nanos(text));
    }

    private static long nanos(String text) {
        if (text.isEmpty() || text.equals("0")) {
            return 0;
        }
        if (text.length() > MAX_LENGTH || !WHOLE.matcher(text).matches()) {
            throw new IllegalArgumentException(EXPECTED);
        }
        BigDecimal sum = BigDecimal.ZERO;
        Matcher part = PART.matcher(text);
        while (part.find()) {
            BigDecimal unit = BigDecimal.valueOf(NANOS.getOrDefault(part.group(2), 0L));
            sum = sum.add(new BigDecimal(part.group(1)).multiply(unit));
        }
        try {
            return sum.toBigInteger().longValueExact();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("must be shorter than 290 years", e);
        }
    }
}
