package dev.orloj.cli.call;

import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.UsageException;

/** Reads the option {@code -o} of commands that print text or JSON. */
final class TextOrJson {

    private TextOrJson() {}

    static boolean isJson(TextOption output) {
        return switch (output.orElse("text")) {
            case "text" -> false;
            case "json" -> true;
            default ->
                    throw new UsageException(
                            "unknown output format \"%s\"; text or json"
                                    .formatted(output.orElse("")));
        };
    }
}
