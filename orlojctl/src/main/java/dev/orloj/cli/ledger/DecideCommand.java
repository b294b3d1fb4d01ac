package dev.orloj.cli.ledger;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.ledger.LedgerEntry;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.output.Text;
import dev.orloj.cli.resource.Targets;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Approves or rejects definitions that a server offers. */
final class DecideCommand extends Command {

    private static final int SHOWN = 19;
    private static final String SERVED = "served";

    /**
     * A definition that the command is about.
     *
     * @param tool text of its name
     * @param standing what is so already; empty if the decision is new
     */
    private record Choice(String tool, String digest, String standing) {}

    private final boolean approves;
    private final TextsOption arguments =
            arguments(
                    "1..*",
                    "SERVER TOOL...",
                    "An McpServer, and tools by their names on it, prompt/NAME,"
                            + " template/URI-TEMPLATE, resource/URI, server/instructions,"
                            + " server/info or server/runs.");
    private final Flag all = flag("All definitions in quarantine.", "--all");
    private final TextOption digest =
            text(
                    "DIGEST",
                    "For one TOOL: only if the server offers the definition with"
                            + " this digest, as in tools pending.",
                    "--digest");

    private DecideCommand(boolean approves, String summary, String... examples) {
        super(summary, examples);
        this.approves = approves;
    }

    static DecideCommand approve() {
        return new DecideCommand(
                true,
                "Serve definitions that tool_policy holds.",
                "orlojctl tools approve github create_issue",
                "orlojctl tools approve github create_issue --digest sha256:6b86b273ff34",
                "orlojctl tools approve github prompt/review",
                "orlojctl tools approve github server/instructions",
                "orlojctl tools approve github server/runs",
                "orlojctl tools approve github --all");
    }

    static DecideCommand reject() {
        return new DecideCommand(
                false,
                "Do not serve definitions, whether they are held or served now.",
                "orlojctl tools reject github create_issue",
                "orlojctl tools reject github --all");
    }

    @Override
    public int run(Context context) {
        List<String> tools =
                arguments.get().stream()
                        .skip(1)
                        .map(name -> DefinitionName.parse(name).text())
                        .toList();
        if (tools.isEmpty() != all.isSet()) {
            throw needs("either TOOL..., as tools pending shows them, or --all");
        }
        if (digest.get().isPresent() && tools.size() != 1) {
            throw new UsageException("--digest is for one TOOL");
        }
        ResourceKey server =
                new ResourceKey(
                        context.namespace(), Targets.serverName(arguments.get().getFirst()));
        List<Choice> chosen = chosen(context, server, tools);
        if (chosen.isEmpty()) {
            context.err().println("Nothing waits for a decision.");
            return ExitCode.OK;
        }
        requireDigest(chosen);
        Map<String, String> decisions = new TreeMap<>();
        chosen.stream()
                .filter(choice -> !choice.standing().equals(SERVED))
                .forEach(choice -> decisions.put(choice.tool(), choice.digest()));
        if (!decisions.isEmpty()) {
            // Those that stand, too: the server refuses them where they have no effect.
            Approvals.decide(context, server, decisions, decision());
        }
        chosen.forEach(choice -> context.out().println(line(choice)));
        return ExitCode.OK;
    }

    /** The operation of the entries about such decisions, and what the request names them. */
    private String decision() {
        return approves ? LedgerEntry.APPROVED : LedgerEntry.REJECTED;
    }

    private String done() {
        return decision().toLowerCase(Locale.ROOT);
    }

    private String line(Choice choice) {
        return "%s %s %s"
                .formatted(
                        Text.oneLine(choice.tool()),
                        choice.digest().substring(0, SHOWN),
                        choice.standing().isEmpty()
                                ? done()
                                : "unchanged, " + choice.standing() + " already");
    }

    private List<Choice> chosen(Context context, ResourceKey server, List<String> tools) {
        Map<String, Approvals.Held> held = new TreeMap<>();
        Approvals.read(context, server).held().forEach(each -> held.put(each.tool(), each));
        String names = String.join(", ", held.keySet());
        if (all.isSet()) {
            return held.values().stream().filter(Approvals.Held::waits).map(this::choice).toList();
        }
        List<Choice> chosen = new ArrayList<>();
        Set<String> others = new TreeSet<>(tools);
        others.removeAll(held.keySet());
        held.keySet().retainAll(tools);
        held.values().forEach(each -> chosen.add(choice(each)));
        if (!others.isEmpty()) {
            chosen.addAll(others(context, server, others, names));
        }
        return chosen;
    }

    private Choice choice(Approvals.Held held) {
        boolean stands = !approves && held.rejected();
        return new Choice(held.tool(), held.digest(), stands ? done() : "");
    }

    /**
     * Returns definitions that are not held: with the decision that was the last entry about each,
     * even if it has had no effect yet, or as they are served.
     *
     * @param waiting what is held
     */
    private List<Choice> others(
            Context context, ResourceKey server, Set<String> tools, String waiting) {
        Map<String, String> served = Approvals.served(context, server);
        Ledger ledger = Ledger.read(context, server);
        List<Choice> chosen = new ArrayList<>();
        for (String tool : tools) {
            Optional<Choice> standing =
                    ledger.entriesOf(DefinitionName.parse(tool)).stream()
                            .reduce((_, last) -> last)
                            .filter(entry -> entry.operation().equals(decision()))
                            .map(entry -> new Choice(tool, entry.content(), done()));
            Optional<Choice> offered =
                    Optional.ofNullable(served.get(tool))
                            .map(is -> new Choice(tool, is, approves ? SERVED : ""));
            chosen.add(standing.or(() -> offered).orElseThrow(() -> notHeld(tool, waiting)));
        }
        return chosen;
    }

    private static CommandException notHeld(String tool, String waiting) {
        return new CommandException(
                waiting.isEmpty()
                        ? "\"%s\" does not wait for a decision, and nothing else does"
                                .formatted(tool)
                        : "\"%s\" does not wait for a decision; these do: %s"
                                .formatted(tool, waiting));
    }

    private void requireDigest(List<Choice> chosen) {
        String expected = digest.orElse("");
        for (Choice choice : chosen) {
            if (!choice.digest().startsWith(expected)) {
                throw new CommandException(
                        "tool \"%s\" has the definition %s now, not %s: look at it before you decide"
                                .formatted(choice.tool(), choice.digest(), expected));
            }
        }
        if (digest.get().isPresent() && expected.length() < SHOWN) {
            throw new UsageException(
                    "--digest needs at least the %d characters that tools pending shows"
                            .formatted(SHOWN));
        }
    }
}
