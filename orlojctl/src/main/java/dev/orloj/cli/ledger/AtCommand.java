package dev.orloj.cli.ledger;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.approval.ServerDescription;
import dev.orloj.api.ledger.CanonicalJson;
import dev.orloj.api.ledger.LedgerEntry;
import dev.orloj.api.ledger.LedgerReplay;
import dev.orloj.api.ledger.LedgerState;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.output.TablePrinter;
import dev.orloj.cli.output.Text;
import dev.orloj.cli.resource.Targets;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

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
            throw needs("TIME SERVER");
        }
        String time = given.getFirst();
        End end = End.parse(time).orElseThrow(() -> noTime(time, given.getLast()));
        ResourceKey server =
                new ResourceKey(context.namespace(), Targets.serverName(given.getLast()));
        Ledger ledger = Ledger.read(context, server);
        LedgerReplay replay = ledger.start();
        for (LedgerEntry entry : ledger.entries()) {
            if (end.isBefore(entry)) {
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
        if (end.isFuture(replay.last().get(), context.console().clock().instant())) {
            context.err()
                    .println(
                            "\"%s\" is in the future: this is what the server has now, after entry %d."
                                    .formatted(time, replay.last().get().sequence()));
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
        others(context, server, replay.state())
                .forEach((name, digest) -> lines.add(List.of("", Text.oneLine(name), digest)));
        new TablePrinter(context.out(), TablePrinter.Layout.WHOLE.within(context.console()))
                .print(lines);
        return ExitCode.OK;
    }

    /** Returns the digests of what is no tool, by the texts of names. */
    private static Map<String, String> others(
            Context context, ResourceKey server, LedgerState state) {
        Map<String, String> others = new TreeMap<>(state.features());
        JsonNode record = Ledger.content(context, server, state.server());
        ServerDescription description =
                ServerDescription.of(
                        record.path("identity"), record.path("instructions").asString(""));
        for (DefinitionName name : ServerDescription.NAMES) {
            description
                    .definition(name)
                    .ifPresent(stated -> others.put(name.text(), CanonicalJson.digest(stated)));
        }
        return others;
    }

    /** The end of the part of a ledger that is replayed. */
    private sealed interface End {

        /** The number of the last entry. */
        record Entry(long number) implements End {

            @Override
            public boolean isBefore(LedgerEntry entry) {
                return entry.sequence() > number;
            }

            @Override
            public boolean isFuture(LedgerEntry last, Instant now) {
                return number > last.sequence();
            }
        }

        /** The time of the last entry. */
        record Time(Instant instant) implements End {

            @Override
            public boolean isBefore(LedgerEntry entry) {
                return Instant.parse(entry.at()).isAfter(instant);
            }

            @Override
            public boolean isFuture(LedgerEntry last, Instant now) {
                return instant.isAfter(now);
            }
        }

        boolean isBefore(LedgerEntry entry);

        boolean isFuture(LedgerEntry last, Instant now);

        static Optional<End> parse(String text) {
            if (text.matches("[0-9]{1,18}")) {
                return Optional.of(new Entry(Long.parseLong(text)));
            }
            try {
                return Optional.of(new Time(Instant.parse(text)));
            } catch (DateTimeParseException e) {
                return Optional.empty();
            }
        }
    }

    private static UsageException noTime(String time, String server) {
        if (End.parse(server).isPresent()) {
            return new UsageException(
                    "\"%s\" is no time: give TIME before SERVER, as in orlojctl tools at %s %1$s"
                            .formatted(time, server));
        }
        boolean isDate = time.matches("[0-9]{4}-[0-9]{2}-[0-9]{2}");
        return new UsageException(
                "\"%s\" is no time: give one with a zone, such as %s, or the number of an entry, such as 17"
                        .formatted(time, isDate ? time + "T12:00:00Z" : "2026-11-01T12:00:00Z"));
    }
}
