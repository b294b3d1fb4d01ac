package dev.orloj.cli.command;

import dev.orloj.cli.output.Documents;

import tools.jackson.databind.JsonNode;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The output format of resources. */
public enum Format {
    TABLE,
    WIDE,
    YAML,
    JSON,
    NAME;

    public static Format parse(String text) {
        return Arrays.stream(values())
                .filter(format -> format.word().equals(text))
                .findFirst()
                .orElseThrow(() -> unknown(text));
    }

    /**
     * Parses one of the possible formats.
     *
     * @throws UsageException when it is another
     */
    public static Format parse(String text, List<Format> possible) {
        Format format = parse(text);
        if (!possible.contains(format)) {
            throw new UsageException(
                    "output format \"%s\" is not possible here, only %s"
                            .formatted(
                                    text,
                                    String.join(
                                            ", ", possible.stream().map(Format::word).toList())));
        }
        return format;
    }

    private static UsageException unknown(String text) {
        List<String> words = Arrays.stream(values()).map(Format::word).toList();
        return new UsageException(
                "unknown output format \"%s\"; one of %s"
                        .formatted(text, String.join(", ", words)));
    }

    private String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public String write(JsonNode document) {
        return this == YAML ? Documents.toYaml(document) : Documents.toJson(document);
    }
}
