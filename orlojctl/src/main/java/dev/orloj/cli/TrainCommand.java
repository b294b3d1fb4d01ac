package dev.orloj.cli;

import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.output.Console;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs the usual commands against canned responses: an ahead-of-time cache made of this run holds
 * what they need. With a manifest it uses a real server instead, for the cache of that server.
 * Hidden; the launcher runs it.
 */
final class TrainCommand extends Command {

    private static final String MANIFEST =
            """
            apiVersion: orloj.dev/v1
            kind: McpServer
            metadata: {name: sample}
            spec: {transport: stdio, command: npx}
            """;

    private static final String KUBECONFIG =
            """
            apiVersion: v1
            kind: Config
            current-context: sample
            contexts: [{name: sample, context: {cluster: sample, namespace: default}}]
            clusters: [{name: sample, cluster: {server: "%s"}}]
            """;

    private static final List<List<String>> COMMANDS =
            List.of(
                    List.of("get", "tools"),
                    List.of("get", "mcpservers", "-A", "-o", "wide"),
                    List.of("get", "mcpservers", "-o", "yaml"),
                    List.of("get", "mcpservers", "-o", "name"),
                    List.of("get", "mcpserver", "missing"),
                    List.of("get", "mcpserver", "sample", "-o", "yaml"),
                    List.of("get", "mcpserver", "sample", "-o", "json"),
                    List.of("apply", "-f", "-"),
                    List.of("describe", "mcpserver", "sample"),
                    List.of("wait", "mcp/sample", "--for", "condition=Ready"),
                    List.of("events"),
                    List.of("call", "sample", "--arg", "message=hello"),
                    List.of("delete", "tool", "sample", "--wait=false"),
                    List.of("version"),
                    List.of("get", "unknown"));

    /** What the launcher has a cache of its own for; see {@code shows_table} in launch.sh. */
    private static final List<List<String>> TABLES =
            List.of(
                    List.of("get", "tools"),
                    List.of("get", "mcp", "-n", "default", "-l", "a=b", "--no-headers"),
                    List.of("get", "mcpservers", "-A", "-o", "wide", "--show-labels"));

    /** A terminal in which tables are cut. */
    private static final int NARROW = 30;

    private static final int CALLS_PER_CALLER = 2_500;

    private final TextOption manifest =
            text("FILE", "Use the server, and the McpServer of this file.", "--with");

    private final Flag tables = flag("Only tables, for the cache of those.", "--tables");

    TrainCommand() {
        super("Rehearse, for the cache of the launcher.");
        spec().usageMessage().hidden(true);
    }

    @Override
    public int run(Context context) {
        Optional<String> file = manifest.get();
        return file.isPresent()
                ? withServer(context, file.get())
                : withoutServer(context, tables.isSet() ? TABLES : COMMANDS);
    }

    private static int withServer(Context context, String file) {
        String url = context.connection().server().url().toString();
        try {
            String token = context.console().environment().getOrDefault(LiveRehearsal.TOKEN, "");
            new LiveRehearsal(url, token, file, CALLS_PER_CALLER, context.console().clock()).run();
            return ExitCode.OK;
        } catch (IOException e) {
            throw new CommandException("cannot rehearse with " + url + ": " + e.getMessage());
        }
    }

    private static int withoutServer(Context context, List<List<String>> commands) {
        try (CannedServer server = CannedServer.start()) {
            Path kubeconfig = Files.createTempFile("kubeconfig", ".yaml");
            Files.writeString(kubeconfig, KUBECONFIG.formatted(server.url()));
            for (List<String> command : commands) {
                PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
                Console console =
                        new Console(
                                new ByteArrayInputStream(MANIFEST.getBytes(StandardCharsets.UTF_8)),
                                nowhere,
                                nowhere,
                                Map.of("KUBECONFIG", kubeconfig.toString()),
                                context.console().clock(),
                                NARROW);
                Orlojctl.run(console, command.toArray(String[]::new));
            }
            Files.delete(kubeconfig);
            return ExitCode.OK;
        } catch (IOException e) {
            throw new CommandException("cannot rehearse: " + e.getMessage());
        }
    }
}
