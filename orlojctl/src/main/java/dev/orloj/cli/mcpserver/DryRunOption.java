package dev.orloj.cli.mcpserver;

import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.UsageException;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

import java.util.Optional;

/** Who checks a change that is not made. */
enum DryRunOption {
    NONE,
    CLIENT,
    SERVER;

    /**
     * Adds the option, whose value may be left out.
     *
     * @param usual the value then
     */
    static TextOption addTo(CommandSpec spec, String usual) {
        OptionSpec option =
                OptionSpec.builder("--dry-run")
                        .type(String.class)
                        .arity("0..1")
                        .fallbackValue(usual)
                        .paramLabel("WHERE")
                        .description(
                                "Change nothing: server or client. Alone it means " + usual + ".")
                        .build();
        spec.addOption(option);
        return new TextOption(option);
    }

    static DryRunOption parse(TextOption option) {
        Optional<String> text = option.get();
        return switch (text.orElse("none")) {
            case "none" -> NONE;
            case "client" -> CLIENT;
            case "server" -> SERVER;
            default ->
                    throw new UsageException(
                            "--dry-run \"%s\": expected server, client or none; write --dry-run=server"
                                    .formatted(text.orElse("")));
        };
    }
}
