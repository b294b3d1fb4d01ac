package dev.orloj.cli.server;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.api.v1.McpServer;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.http.Paths;
import dev.orloj.cli.http.Request;
import dev.orloj.cli.output.TablePrinter;
import dev.orloj.cli.output.Text;
import dev.orloj.cli.resource.Targets;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Shows the live sessions with servers and the resource usage of their processes. */
public final class TopCommand extends Command {

    private static final Duration PERIOD = Duration.ofSeconds(2);
    private static final int SHORT_ID = 12;

    private final TextsOption arguments =
            arguments("0..1", "[SERVER]", "Only the sessions with this McpServer.");
    private final Flag everywhere = flag("In every namespace.", "-A", "--all-namespaces");
    private final Flag watch = flag("Update every two seconds.", "-w", "--watch");
    private final Flag bare = flag("Print no headings.", "--no-headers");
    private final CpuShare cpu = new CpuShare();

    public TopCommand() {
        super(
                "Show the sessions with servers: their use, memory and processor time.",
                "orlojctl top",
                "orlojctl top github -w");
    }

    @Override
    public int run(Context context) {
        Request request = Request.get(path(context));
        boolean isFirst = true;
        while (true) {
            JsonNode items = Json.MAPPER.readTree(context.connection().read(request)).path("items");
            print(context, items);
            if (items.isEmpty() && isFirst) {
                context.err().println("No sessions: no server is awake.");
            }
            isFirst = false;
            if (!watch.isSet() || !context.console().flush() || !pause()) {
                return ExitCode.OK;
            }
            context.out().print("\n");
        }
    }

    private String path(Context context) {
        if (!arguments.get().isEmpty()) {
            if (everywhere.isSet()) {
                throw new UsageException("--all-namespaces and a SERVER exclude each other");
            }
            return Paths.of(McpServer.KIND, new ResourceKey(context.namespace(), name()))
                    + "/sessions";
        }
        String servers = Paths.of(McpServer.KIND, everywhere.isSet() ? "" : context.namespace());
        return servers.substring(0, servers.lastIndexOf('/')) + "/sessions";
    }

    private String name() {
        String argument = arguments.get().getFirst();
        if (argument.indexOf('/') < 0) {
            return argument;
        }
        Targets.Named target = Targets.parse(arguments.get()).named().getFirst();
        if (!target.kind().equals(McpServer.KIND)) {
            throw new UsageException(
                    "only an McpServer has sessions, not a " + target.kind().singular());
        }
        return target.name();
    }

    private void print(Context context, JsonNode items) {
        List<List<String>> lines = new ArrayList<>();
        boolean hasUsers = items.valueStream().anyMatch(item -> item.has("user"));
        if (!bare.isSet() && !items.isEmpty()) {
            lines.add(headings(hasUsers));
        }
        Instant now = context.console().clock().instant();
        items.forEach(item -> lines.add(line(item, now, hasUsers)));
        new TablePrinter(context.out(), TablePrinter.Layout.WHOLE.within(context.console()))
                .print(lines);
    }

    /**
     * @param hasUsers whether a process runs as another user than orlojd
     */
    private List<String> headings(boolean hasUsers) {
        List<String> line = new ArrayList<>();
        if (everywhere.isSet()) {
            line.add("NAMESPACE");
        }
        line.addAll(List.of("SERVER", "REPLICA", "PID"));
        if (hasUsers) {
            line.add("USER");
        }
        line.addAll(
                List.of(
                        "CONTAINER",
                        "STATE",
                        "MEMORY",
                        "CPU%",
                        "CPU TIME",
                        "AGE",
                        "USED",
                        "IN FLIGHT",
                        "CALLS",
                        "ERRORS",
                        "RESTARTS"));
        return line;
    }

    private List<String> line(JsonNode session, Instant now, boolean hasUsers) {
        List<String> line = new ArrayList<>();
        if (everywhere.isSet()) {
            line.add(session.path("namespace").asString(""));
        }
        Optional<Double> percent = cpu.percent(session, now);
        line.add(session.path("server").asString(""));
        line.add(session.path("replica").asString(""));
        line.add(session.has("pid") ? session.path("pid").asString() : "-");
        if (hasUsers) {
            line.add(session.path("user").asString("-"));
        }
        line.add(container(session));
        line.add(session.path("state").asString(""));
        line.add(session.has("residentBytes") ? memory(session.path("residentBytes")) : "-");
        line.add(percent.map(p -> String.format(Locale.ROOT, "%.1f", p)).orElse("-"));
        line.add(session.has("cpuSeconds") ? session.path("cpuSeconds").asString() + "s" : "-");
        line.add(age(session, "startedAt", now));
        line.add(age(session, "lastUsedAt", now) + " ago");
        for (String count : List.of("inFlight", "calls", "errors", "restarts")) {
            line.add(session.path(count).asString("0"));
        }
        return line;
    }

    /** Returns the short container id that engines display. */
    private static String container(JsonNode session) {
        String id = session.path("containerId").asString("");
        return id.isEmpty() ? "-" : id.substring(0, Math.min(SHORT_ID, id.length()));
    }

    private static String memory(JsonNode bytes) {
        return (bytes.asLong() >> 20) + "Mi";
    }

    private static String age(JsonNode session, String field, Instant now) {
        return Text.age(Duration.between(Instant.parse(session.path(field).asString("")), now));
    }

    /** Returns false when interrupted. */
    private static boolean pause() {
        try {
            Thread.sleep(PERIOD);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
