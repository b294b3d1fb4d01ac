package dev.orloj.cli.command;

import dev.orloj.api.GoDuration;

import picocli.CommandLine.Model.ArgSpec;

import java.time.Duration;
import java.util.Optional;

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
}
