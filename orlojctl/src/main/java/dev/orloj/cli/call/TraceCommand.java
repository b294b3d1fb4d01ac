package dev.orloj.cli.call;

import dev.orloj.api.codec.Json;
import dev.orloj.api.v1.Tool;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.http.Paths;
import dev.orloj.cli.http.Request;
import dev.orloj.cli.output.Text;

import tools.jackson.databind.JsonNode;

import java.io.PrintStream;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Shows how the time of one call was spent. */
public final class TraceCommand extends Command {

    private final TextsOption arguments =
            arguments("0..1", "[CALL]", "Id of a call, as \"orlojctl call -v\" prints it.");
    private final Flag last = flag("Show the latest call instead.", "--last");
    private final TextOption tool = text("TOOL", "Show the latest call of this Tool.", "--tool");
    private final TextOption server =
            text("SERVER", "Show the latest call of this McpServer.", "--mcp-server");
    private final TextOption output =
            text("FORMAT", "text, or json with all data.", "-o", "--output");

    public TraceCommand() {
        super(
                "Show how long each step of a call took.",
                "orlojctl trace box-1x9ab.hko2yrszk1",
                "orlojctl trace --last --mcp-server github");
    }

    @Override
    public int run(Context context) {
        boolean asJson = TextOrJson.isJson(output);
        JsonNode call = find(context);
        if (asJson) {
            context.out().println(call.toPrettyString());
        } else {
            print(context.out(), call);
        }
        return ExitCode.OK;
    }

    private JsonNode find(Context context) {
        String tools = Paths.of(Tool.KIND, context.namespace());
        String calls = tools.substring(0, tools.lastIndexOf('/')) + "/calls";
        boolean chosen = tool.get().isPresent() || server.get().isPresent();
        if (arguments.get().size() == 1) {
            if (last.isSet() || chosen) {
                throw new UsageException(
                        "a CALL and --last, --tool or --mcp-server exclude each other");
            }
            return read(context, Request.get(Paths.below(calls, arguments.get().getFirst())));
        }
        if (!last.isSet()) {
            throw needs("CALL or --last");
        }
        JsonNode items =
                read(
                                context,
                                Request.get(calls)
                                        .with("limit", "1")
                                        .with("tool", tool.orElse(""))
                                        .with("server", server.orElse("")))
                        .path("items");
        if (items.isEmpty()) {
            throw new CommandException(
                    "the server remembers no such call in namespace \"%s\""
                            .formatted(context.namespace()));
        }
        return items.get(0);
    }

    private static JsonNode read(Context context, Request request) {
        return Json.MAPPER.readTree(context.connection().read(request));
    }

    private static void print(PrintStream out, JsonNode call) {
        out.print(
                "call %s of tool %s by %s at %s\n"
                        .formatted(
                                call.at("/metadata/name").asString(""),
                                call.path("tool").asString(""),
                                Text.oneLine(call.path("caller").asString("")),
                                call.at("/metadata/creationTimestamp").asString("")));
        out.print("%12s%12s   STEP\n".formatted("AT", "TOOK"));
        BigDecimal at = BigDecimal.ZERO;
        for (JsonNode step : call.path("steps")) {
            BigDecimal took = step.path("millis").decimalValue();
            String phase = step.path("phase").asString("");
            boolean exchanged = phase.equals("upstream") || phase.equals("forwarding");
            String note = exchanged && call.has("session") ? exchange(call) : "";
            out.print(line(at, millis(took), (phase + note)));
            at = at.add(took);
        }
        out.print(line(at, "", call.path("outcome").asString("") + findings(call)));
    }

    /** Formats what the {@code result_policy} of the server did; empty if it did nothing. */
    private static String findings(JsonNode call) {
        JsonNode decision = call.path("resultPolicy");
        if (decision.isMissingNode()) {
            return "";
        }
        String kinds =
                decision.path("findings")
                        .valueStream()
                        .map(finding -> finding.path("kind").asString(""))
                        .collect(Collectors.joining(", "));
        return " (result %s: %s)".formatted(decision.path("action").asString(""), kinds);
    }

    private static String line(BigDecimal at, String took, String what) {
        return "%12s%12s   %s\n".formatted(millis(at), took, what);
    }

    /** Formats the peer of an exchange and its size. */
    private static String exchange(JsonNode call) {
        List<String> notes = new ArrayList<>();
        notes.add("session " + call.path("session").asString(""));
        if (call.has("pid")) {
            notes.add("pid " + call.path("pid").asString());
        }
        notes.add("MCP " + call.path("protocolVersion").asString(""));
        notes.add(call.path("bytesOut").asString("0") + " B out");
        notes.add(call.path("bytesIn").asString("0") + " B in");
        return " (" + String.join(", ", notes) + ")";
    }

    private static String millis(BigDecimal millis) {
        return String.format(Locale.ROOT, "%.3fms", millis);
    }
}
