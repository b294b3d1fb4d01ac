package dev.orloj.cli.ledger;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.ledger.LedgerEntry;
import dev.orloj.api.ledger.LedgerReplay;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.output.TablePrinter;
import dev.orloj.cli.output.Text;
import dev.orloj.cli.resource.Targets;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;

/** Shows the tools that a server had at a time. */
final class AtCommand extends Command {

    private final TextsOption arguments =
            arguments(
                    "1..*",
                    "TIME SERVER",
                    "A time such as 2026-11-01T12:00:00Z, or a number of an entry; and an"
                            + " McpServer.");

    AtCommand() {
        super(
                "Show the tools, prompts and resources that a server had at a time.",
                "orlojctl tools at 2026-11-01T12:00:00Z github",
                "orlojctl tools at 17 github");
    }

    @Override
    public int run(Context context) {
        List<String> given = arguments.get();
        if (given.size() > 2) {
            throw new UsageException("unexpected argument \"" + given.get(2) + "\"");
        }
        if (given.size() < 2) {
            throw new UsageException("the tools of which SERVER? Give TIME SERVER");
        }
        String time = given.getFirst();
        ResourceKey server =
                new ResourceKey(context.namespace(), Targets.serverName(given.getLast()));
        Ledger ledger = Ledger.read(context, server);
        LedgerReplay replay = ledger.start();
        boolean isNumber = time.matches("[0-9]{1,18}");
        Instant instant = isNumber ? Instant.EPOCH : instant(time);
        for (LedgerEntry entry : ledger.entries()) {
            boolean isLater =
                    isNumber
                            ? entry.sequence() > Long.parseLong(time)
                            : instant(entry.at()).isAfter(instant);
            if (isLater) {
                break;
            }
            replay.add(entry);
        }
        if (replay.problem().isPresent()) {
            throw new CommandException(replay.problem().get());
        }
        if (replay.last().isEmpty()) {
            context.err().println("The ledger has no entry of that time.");
            return ExitCode.OK;
        }
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("NAME", "TOOL", "DIGEST"));
        replay.state()
                .tools()
                .forEach(
                        (resource, item) ->
                                lines.add(
                                        List.of(
                                                resource,
                                                Text.oneLine(item.tool()),
                                                item.content())));
        replay.state()
                .features()
                .forEach((name, digest) -> lines.add(List.of("", Text.oneLine(name), digest)));
        new TablePrinter(context.out(), TablePrinter.Layout.WHOLE.within(context.console()))
                .print(lines);
        return ExitCode.OK;
    }

    private static Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new UsageException("\"" + text + "\" is no time such as 2026-11-01T12:00:00Z");
        }
    }
}
