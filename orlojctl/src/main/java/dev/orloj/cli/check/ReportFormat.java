package dev.orloj.cli.check;

import dev.orloj.cli.command.UsageException;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The output formats of {@code check}. */
public enum ReportFormat {
    TEXT,
    JSON,
    SARIF,
    JUNIT;

    /** Returns all formats as they are typed. */
    public static List<String> words() {
        return Arrays.stream(values()).map(ReportFormat::word).toList();
    }

    static ReportFormat parse(String text) {
        return Arrays.stream(values())
                .filter(format -> format.word().equals(text))
                .findFirst()
                .orElseThrow(
                        () ->
                                new UsageException(
                                        "unknown output format \"%s\"; one of %s"
                                                .formatted(text, String.join(", ", words()))));
    }

    private String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    String write(List<Checked> checked, FailOn failOn) {
        return switch (this) {
            case TEXT -> TextReport.write(checked);
            case JSON -> JsonReport.write(checked);
            case SARIF -> SarifReport.write(checked);
            case JUNIT -> JunitReport.write(checked, failOn);
        };
    }
}
