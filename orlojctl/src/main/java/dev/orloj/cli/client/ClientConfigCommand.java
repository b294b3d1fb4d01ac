package dev.orloj.cli.client;

import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.MalformedDocumentException;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Prints the configuration that connects an MCP client to orlojd, or writes it into the client's
 * configuration file.
 */
public final class ClientConfigCommand extends Command {

    private static final String NAME = "orloj";

    private final TextsOption arguments =
            arguments(
                    "1", "CLIENT", "One of " + String.join(", ", McpClientProgram.labels()) + ".");
    private final TextsOption mcpServers =
            texts(
                    "NAME",
                    "One McpServer as itself, or more when it is repeated. Default: all of the"
                            + " namespace.",
                    "--mcp-server");
    private final Flag write =
            flag("Write it into the file of the client, beside what is there.", "--write");

    public ClientConfigCommand() {
        super(
                "Print the configuration that connects an MCP client, or write it.",
                "orlojctl client-config claude-code",
                "orlojctl client-config cursor --write",
                "orlojctl client-config vscode --mcp-server github -n team-a");
    }

    @Override
    public int run(Context context) {
        String label = arguments.get().getFirst();
        McpClientProgram client =
                McpClientProgram.of(label)
                        .orElseThrow(
                                () ->
                                        new UsageException(
                                                "client \"%s\" is none of %s"
                                                        .formatted(
                                                                label,
                                                                String.join(
                                                                        ", ",
                                                                        McpClientProgram
                                                                                .labels()))));
        McpEndpointPath path = new McpEndpointPath(context.namespace(), mcpServers.get());
        URI server = context.connection().server().url();
        Map<String, String> environment = context.console().environment();
        ObjectNode entry =
                client.entry(
                        URI.create(server + path.toString()), program(environment, server, path));
        String name = nameOf(path);
        Path file = client.file(environment, Path.of("").toAbsolutePath());
        if (write.isSet()) {
            ObjectNode configuration = read(file);
            configuration.withObjectProperty(client.section()).set(name, entry);
            replace(file, configuration);
            context.out().print("%s written to %s\n".formatted(name, file));
        } else {
            ObjectNode configuration = Json.MAPPER.createObjectNode();
            configuration.putObject(client.section()).set(name, entry);
            context.err().println("# " + file);
            context.out().print(configuration.toPrettyString() + "\n");
        }
        return ExitCode.OK;
    }

    private static String nameOf(McpEndpointPath path) {
        return Stream.concat(Stream.of(NAME), path.servers().stream())
                .collect(Collectors.joining("-"));
    }

    /** Returns the launcher that started this process, if the environment names it. */
    private static List<String> program(
            Map<String, String> environment, URI server, McpEndpointPath path) {
        List<String> program = new ArrayList<>();
        program.add(environment.getOrDefault("ORLOJCTL_LAUNCHER", "orlojctl"));
        program.addAll(List.of("mcp", "--server", server.toString()));
        program.addAll(List.of("--namespace", path.namespace()));
        program.addAll(path.servers());
        return program;
    }

    private static ObjectNode read(Path file) {
        try {
            if (!Files.exists(file) || Files.size(file) == 0) {
                return Json.MAPPER.createObjectNode();
            }
            JsonNode found = Json.MAPPER.readTree(Files.readAllBytes(file));
            if (found instanceof ObjectNode configuration) {
                return configuration;
            }
            throw unreadable(file, "it is no JSON object");
        } catch (JacksonException e) {
            MalformedDocumentException problem = MalformedDocumentException.of(e);
            throw unreadable(file, "line %d: %s".formatted(problem.line(), problem.getMessage()));
        } catch (IOException e) {
            throw unreadable(file, String.valueOf(e.getMessage()));
        }
    }

    private static CommandException unreadable(Path file, String why) {
        return new CommandException(
                "%s cannot be changed without loss: %s; add by hand what the command prints without --write"
                        .formatted(file, why));
    }

    /**
     * Replaces the file atomically: a client that reads it sees either the old or the new content.
     */
    private static void replace(Path file, ObjectNode configuration) {
        try {
            Path real = Files.exists(file) ? file.toRealPath() : file;
            Files.createDirectories(real.toAbsolutePath().getParent());
            Path fresh = real.resolveSibling(real.getFileName() + ".orlojctl");
            Files.writeString(fresh, configuration.toPrettyString() + "\n");
            Files.move(
                    fresh,
                    real,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new CommandException("%s cannot be written: %s".formatted(file, e.getMessage()));
        }
    }
}
