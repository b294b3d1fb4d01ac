package dev.orloj.cli.command;

import picocli.CommandLine.Model.CommandSpec;

import java.util.LinkedHashMap;
import java.util.Map;

/** A command that only has subcommands: alone, it lists them and is wrong usage. */
public abstract class GroupCommand extends Command {

    /**
     * @param summary one line for the list of commands
     * @param examples command lines, shown below the help
     */
    protected GroupCommand(String summary, String... examples) {
        super(summary, examples);
    }

    @Override
    public int run(Context context) {
        throw incomplete();
    }

    /** Returns the error of a command line that ends with this command. */
    protected final UsageException incomplete() {
        Map<String, String> summaries = summaries();
        int width = summaries.keySet().stream().mapToInt(String::length).max().orElse(0);
        StringBuilder message = new StringBuilder("a command:");
        summaries.forEach(
                (name, summary) ->
                        message.append("\n  ")
                                .append(name)
                                .append(" ".repeat(width - name.length() + 2))
                                .append(summary));
        return needs(message.toString());
    }

    private Map<String, String> summaries() {
        Map<String, String> summaries = new LinkedHashMap<>();
        spec().subcommands()
                .forEach(
                        (name, line) -> {
                            CommandSpec command = line.getCommandSpec();
                            if (!command.usageMessage().hidden()) {
                                summaries.put(
                                        name,
                                        String.join(" ", command.usageMessage().description()));
                            }
                        });
        return summaries;
    }
}
