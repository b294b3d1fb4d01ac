package dev.orloj.cli.change;

import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;

/** A command of kubectl that has no meaning here: it names the one that does what is meant. */
final class RefusedCommand extends Command {

    private final String name;
    private final String remedy;
    private final TextsOption arguments = arguments("0..*", "KIND/NAME...", "Ignored.");

    RefusedCommand(String name, String remedy) {
        super("Not possible: " + remedy + ".");
        this.name = name;
        this.remedy = remedy;
        spec().usageMessage().hidden(true);
    }

    @Override
    public int run(Context context) {
        throw new UsageException(
                "no rollout %s%s: %s"
                        .formatted(
                                name,
                                arguments.get().isEmpty()
                                        ? ""
                                        : " of " + String.join(" ", arguments.get()),
                                remedy));
    }
}
