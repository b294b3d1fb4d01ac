package dev.orloj.cli.command;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Range;

import java.util.List;

/** A command: declares its arguments when it is created, and runs once after they are parsed. */
public abstract class Command {

    private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this);

    /**
     * @param summary one line for the list of commands
     * @param examples command lines, shown below the help
     */
    protected Command(String summary, String... examples) {
        spec.usageMessage().description(summary).sortOptions(false).synopsisHeading("Usage: ");
        if (examples.length > 0) {
            String[] footer = new String[examples.length + 2];
            footer[0] = "";
            footer[1] = "Examples:";
            for (int i = 0; i < examples.length; i++) {
                // A percent sign would start a format specifier.
                footer[i + 2] = "  " + examples[i].replace("%", "%%");
            }
            spec.usageMessage().footer(footer);
        }
    }

    public final CommandSpec spec() {
        return spec;
    }

    /**
     * Runs the command.
     *
     * @return the exit code
     */
    public abstract int run(Context context);

    /**
     * Returns the error of a command line that lacks something.
     *
     * @param what the arguments or options, such as {@code NAME or --current}
     */
    protected final UsageException needs(String what) {
        return new UsageException(
                spec.qualifiedName().replaceFirst("^orlojctl ", "") + " needs " + what);
    }

    protected final Flag flag(String description, String... names) {
        OptionSpec option =
                OptionSpec.builder(names)
                        .type(boolean.class)
                        .description(escape(description))
                        .build();
        spec.addOption(option);
        return new Flag(option);
    }

    protected final TextOption text(String label, String description, String... names) {
        OptionSpec option =
                OptionSpec.builder(names)
                        .type(String.class)
                        .paramLabel(label)
                        .description(escape(description))
                        .build();
        spec.addOption(option);
        return new TextOption(option);
    }

    protected final TextsOption texts(String label, String description, String... names) {
        OptionSpec option =
                OptionSpec.builder(names)
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .arity("1")
                        .paramLabel(label)
                        .description(escape(description))
                        .build();
        spec.addOption(option);
        return new TextsOption(option);
    }

    /**
     * Declares the positional arguments.
     *
     * @param arity their total number: {@code 1}, {@code 0..1}, {@code 1..*}, {@code 0..*}; other
     *     numbers are a usage error
     */
    protected final TextsOption arguments(String arity, String label, String description) {
        Range count = Range.valueOf(arity);
        PositionalParamSpec arguments =
                PositionalParamSpec.builder()
                        // The arity of picocli counts the values of one position.
                        .index(count.max() == 1 ? "0" : "0..*")
                        .arity(arity)
                        .required(count.min() > 0)
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .paramLabel(label)
                        .hideParamSyntax(true)
                        .description(escape(description))
                        .build();
        spec.addPositional(arguments);
        return new TextsOption(arguments);
    }

    private static String escape(String description) {
        return description.replace("%", "%%");
    }
}
