package dev.orloj.cli.mcpserver;

import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.resource.Targets;

import picocli.CommandLine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** A command of all kinds of resources, for McpServers by name. */
class ServersCommand extends Command {

    private final Supplier<Command> target;
    private final TextsOption arguments;
    private final Map<String, TextOption> texts = new LinkedHashMap<>();
    private final Map<String, Flag> flags = new LinkedHashMap<>();

    /**
     * @param target the command of all kinds
     * @param needsNames whether all servers are not meant without a name
     */
    ServersCommand(
            Supplier<Command> target, boolean needsNames, String summary, String... examples) {
        super(summary, examples);
        this.target = target;
        this.arguments =
                needsNames
                        ? arguments("1..*", "SERVER...", "McpServers, such as github.")
                        : arguments("0..*", "[SERVER...]", "Default: all of the namespace.");
    }

    /** Adds an option with a value, which the other command has too. */
    ServersCommand passing(String label, String description, String... names) {
        texts.put(names[names.length - 1], text(label, description, names));
        return this;
    }

    /** Adds a flag, which the other command has too. */
    ServersCommand passingFlag(String description, String... names) {
        flags.put(names[names.length - 1], flag(description, names));
        return this;
    }

    /** Adds the options that show a change instead of making it. */
    ServersCommand withDryRun() {
        texts.put("--dry-run", DryRunOption.addTo(spec(), "server"));
        return passing("FORMAT", "Print the resources: yaml, json or name.", "-o", "--output");
    }

    List<String> servers() {
        return arguments.get();
    }

    @Override
    public int run(Context context) {
        List<String> line = new ArrayList<>();
        servers().forEach(name -> line.add("mcp/" + Targets.serverName(name)));
        if (line.isEmpty()) {
            line.add("mcp");
        }
        texts.forEach((name, option) -> option.get().ifPresent(v -> line.add(name + "=" + v)));
        flags.entrySet().stream()
                .filter(f -> f.getValue().isSet())
                .forEach(f -> line.add(f.getKey()));
        Command command = target.get();
        new CommandLine(command.spec()).parseArgs(line.toArray(String[]::new));
        return command.run(context);
    }
}
