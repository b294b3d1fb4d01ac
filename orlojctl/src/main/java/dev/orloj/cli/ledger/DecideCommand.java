package dev.orloj.cli.ledger;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.approval.DefinitionName;
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

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Approves or rejects definitions that a server offers. */
final class DecideCommand extends Command {

    private static final int SHOWN = 19;

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
                    "Only if this is the definition that the server offers, as tools pending shows"
                            + " it; of one TOOL.",
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
            throw new UsageException(
                    all.isSet()
                            ? "TOOL and --all exclude each other"
                            : "which TOOL? Name tools as tools pending shows them, or give --all");
        }
        if (digest.get().isPresent() && tools.size() != 1) {
            throw new UsageException("--digest is for one TOOL");
        }
        ResourceKey server =
                new ResourceKey(
                        context.namespace(), Targets.serverName(arguments.get().getFirst()));
        Map<String, String> held = new TreeMap<>();
        for (Approvals.Held each : Approvals.read(context, server).held()) {
            if (!all.isSet() || each.waits()) {
                held.put(each.tool(), each.digest());
            }
        }
        Map<String, String> chosen =
                all.isSet() ? held : chosen(tools, held, served(context, server));
        if (chosen.isEmpty()) {
            context.err().println("Nothing waits for a decision.");
            return ExitCode.OK;
        }
        requireDigest(chosen);
        Approvals.decide(context, server, chosen, approves ? "Approved" : "Rejected");
        chosen.forEach(
                (tool, is) ->
                        context.out()
                                .println(
                                        "%s %s %s"
                                                .formatted(
                                                        Text.oneLine(tool),
                                                        is.substring(0, SHOWN),
                                                        approves ? "approved" : "rejected")));
        return ExitCode.OK;
    }

    /** A definition that is served can be rejected; there is nothing to approve about it. */
    private Map<String, String> served(Context context, ResourceKey server) {
        return approves ? Map.of() : Approvals.served(context, server);
    }

    private static Map<String, String> chosen(
            List<String> tools, Map<String, String> held, Map<String, String> served) {
        Map<String, String> chosen = new TreeMap<>();
        for (String tool : tools) {
            String digest = held.getOrDefault(tool, served.getOrDefault(tool, ""));
            if (digest.isEmpty()) {
                throw new CommandException(
                        held.isEmpty()
                                ? "\"%s\" does not wait for a decision, and nothing else does"
                                        .formatted(tool)
                                : "\"%s\" does not wait for a decision; these do: %s"
                                        .formatted(tool, String.join(", ", held.keySet())));
            }
            chosen.put(tool, digest);
        }
        return chosen;
    }

    private void requireDigest(Map<String, String> chosen) {
        String expected = digest.orElse("");
        chosen.forEach(
                (tool, is) -> {
                    if (!is.startsWith(expected)) {
                        throw new CommandException(
                                "tool \"%s\" has the definition %s now, not %s: look at it before you decide"
                                        .formatted(tool, is, expected));
                    }
                });
        if (digest.get().isPresent() && expected.length() < SHOWN) {
            throw new UsageException(
                    "--digest needs at least the %d characters that tools pending shows"
                            .formatted(SHOWN));
        }
    }
}
