package dev.orloj.cli.check;

import dev.orloj.api.report.Finding;
import dev.orloj.api.report.Severity;
import dev.orloj.cli.command.UsageException;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** From which severity on findings fail the command. */
public enum FailOn {
    ERROR(Optional.of(Severity.ERROR)),
    WARNING(Optional.of(Severity.WARNING)),
    NOTE(Optional.of(Severity.NOTE)),
    NEVER(Optional.empty());

    private final Optional<Severity> least;

    FailOn(Optional<Severity> least) {
        this.least = least;
    }

    /** Returns all values as they are typed. */
    public static List<String> words() {
        return Arrays.stream(values()).map(FailOn::word).toList();
    }

    static FailOn parse(String text) {
        return Arrays.stream(values())
                .filter(value -> value.word().equals(text))
                .findFirst()
                .orElseThrow(
                        () ->
                                new UsageException(
                                        "unknown value \"%s\" of --fail-on; one of %s"
                                                .formatted(text, String.join(", ", words()))));
    }

    private String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    boolean fails(Finding finding) {
        return least.filter(finding.severity()::reaches).isPresent();
    }
}
