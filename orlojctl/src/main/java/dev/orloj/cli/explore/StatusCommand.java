package dev.orloj.cli.explore;

import dev.orloj.api.ApiException;
import dev.orloj.api.codec.Json;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Tool;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.http.Request;
import dev.orloj.cli.http.ResourceSelection;
import dev.orloj.cli.ledger.HeldSummary;
import dev.orloj.cli.output.TablePrinter;
import dev.orloj.cli.output.Text;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Shows on one page whether all is well: the server, its McpServers, and what to look at. Held
 * definitions do not change the exit code: what the policy allows is served.
 */
public final class StatusCommand extends Command {

    private static final List<String> WELL = List.of("Ready", "Idle", "Suspended");

    private static final String OPEN = "[!]anonymous-access";
    private static final String KEY_PROBLEM = "[-]encryption-key failed: ";

    private final Flag everywhere = flag("In every namespace.", "-A", "--all-namespaces");

    public StatusCommand() {
        super(
                "Show the state of all servers. Exit code 1 means that a"
                        + " server needs attention.",
                "orlojctl status",
                "orlojctl status -A");
    }

    @Override
    public int run(Context context) {
        JsonNode version = Json.MAPPER.readTree(context.connection().read(Request.get("/version")));
        context.out()
                .print(
                        "Server:      %s, %s\n"
                                .formatted(
                                        context.connection().server().url(),
                                        Text.oneLine(version.path("gitVersion").asString("?"))));
        List<String> readiness = readiness(context);
        if (readiness.stream().anyMatch(line -> line.startsWith(OPEN))) {
            context.out()
                    .print(
                            "INSECURE:    every program of every user of that machine can do"
                                    + " everything; leave out --insecure-allow-anonymous\n");
        }
        Optional<String> keyProblem =
                readiness.stream()
                        .filter(line -> line.startsWith(KEY_PROBLEM))
                        .map(line -> Text.oneLine(line.substring(KEY_PROBLEM.length())))
                        .findFirst();
        keyProblem.ifPresent(problem -> context.out().print("Secrets:     " + problem + "\n"));
        String namespace = everywhere.isSet() ? "" : context.namespace();
        List<ObjectNode> servers =
                context.documents()
                        .list(ResourceSelection.everything(McpServer.KIND, namespace))
                        .items();
        JsonNode tools =
                Json.MAPPER.readTree(
                        context.connection()
                                .read(
                                        ResourceSelection.everything(Tool.KIND, namespace)
                                                .request()
                                                .with("limit", "1")));
        long count =
                tools.path("items").size() + tools.at("/metadata/remainingItemCount").asLong(0);
        context.out().print("Namespace:   " + (namespace.isEmpty() ? "all" : namespace) + "\n");
        context.out().print("McpServers:  " + summary(servers) + "\n");
        context.out().print("Tools:       " + count + "\n");
        HeldSummary.lines(context, servers)
                .forEach(line -> context.out().print("Held:        " + line + "\n"));
        List<ObjectNode> unwell = servers.stream().filter(s -> !isWell(s)).toList();
        if (unwell.isEmpty()) {
            return keyProblem.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
        }
        context.out().print("\nNeeds attention:\n");
        List<List<String>> lines = new ArrayList<>();
        unwell.forEach(server -> lines.add(line(server)));
        new TablePrinter(context.out(), TablePrinter.Layout.WHOLE).print(lines);
        return ExitCode.FAILED;
    }

    /**
     * Returns the lines of the readiness probe. Empty when it is not ready, which the rest shows.
     */
    private static List<String> readiness(Context context) {
        Request request = Request.get("/readyz").with("verbose", "true").accepting("text/plain");
        try {
            return new String(context.connection().read(request), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (ApiException e) {
            return List.of();
        }
    }

    private static String summary(List<ObjectNode> servers) {
        Map<String, Long> phases =
                servers.stream()
                        .collect(
                                Collectors.groupingBy(
                                        StatusCommand::phase, TreeMap::new, Collectors.counting()));
        return servers.isEmpty()
                ? "none; add one with: orlojctl init NAME"
                : phases.entrySet().stream()
                        .map(e -> e.getValue() + " " + e.getKey())
                        .collect(Collectors.joining(", "));
    }

    private static String phase(ObjectNode server) {
        return server.at("/status/phase").asString("Pending");
    }

    private static boolean isWell(ObjectNode server) {
        return WELL.contains(phase(server));
    }

    private List<String> line(ObjectNode server) {
        List<String> line = new ArrayList<>();
        if (everywhere.isSet()) {
            line.add("  " + server.at("/metadata/namespace").asString(""));
        }
        String name = server.at("/metadata/name").asString("");
        line.add(everywhere.isSet() ? name : "  " + name);
        line.add(phase(server));
        line.add(server.at("/status/lastError").asString(""));
        return line;
    }
}
