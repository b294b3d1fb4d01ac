package dev.orloj.cli.command;

import dev.orloj.api.ByteSize;
import dev.orloj.api.GoDuration;

import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

import java.time.Duration;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** An option with a value. */
public record TextOption(ArgSpec spec) {

    public Optional<String> get() {
        return Optional.ofNullable(spec.<String>getValue());
    }

    public String orElse(String fallback) {
        return get().orElse(fallback);
    }

    /** The value as a duration such as {@code 5m}; a bare number means seconds. */
    public Optional<Duration> duration() {
        return get().map(this::duration);
    }

    private Duration duration(String text) {
        boolean isNumber = !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
        try {
            return new GoDuration(isNumber ? text + "s" : text).toDuration();
        } catch (IllegalArgumentException e) {
            throw new UsageException("\"" + text + "\" is no duration such as 30s or 5m");
        }
    }

    /** The value as a size such as {@code 128g}, in bytes; at least one. */
    public Optional<Long> bytes() {
        return get().map(
                        text ->
                                positive(
                                        text,
                                        size -> new ByteSize(size).bytes(),
                                        ByteSize.EXPECTED));
    }

    /** The value as a whole number; at least one. */
    public Optional<Long> number() {
        return get().map(text -> positive(text, Long::parseLong, "must be a whole number from 1"));
    }

    private long positive(String text, ToLongFunction<String> parser, String expected) {
        long value;
        try {
            value = parser.applyAsLong(text);
        } catch (IllegalArgumentException e) {
            value = 0; // rejected like a number that is too small
        }
        if (value < 1) {
            String name = spec instanceof OptionSpec option ? option.longestName() : "argument";
            throw new UsageException("%s \"%s\": %s".formatted(name, text, expected));
        }
        return value;
    }
}
