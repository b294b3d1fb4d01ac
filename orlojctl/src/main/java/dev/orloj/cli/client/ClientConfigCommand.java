package dev.orloj.cli.client;

import dev.orloj.api.codec.Json;
import dev.orloj.cli.clientfile.Backups;
import dev.orloj.cli.clientfile.ClientFile;
import dev.orloj.cli.clientfile.ClientFileException;
import dev.orloj.cli.clientfile.ClientProgram;
import dev.orloj.cli.clientfile.Edit;
import dev.orloj.cli.clientfile.FileEdit;
import dev.orloj.cli.clientfile.Moved;
import dev.orloj.cli.clientfile.Platform;
import dev.orloj.cli.clientfile.Section;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.Suggestions;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Prints the configuration that connects an MCP client to orlojd, or writes it into the client's
 * configuration file.
 */
public final class ClientConfigCommand extends Command {

    private final TextsOption arguments =
            arguments("1", "CLIENT", "One of " + String.join(", ", ClientProgram.labels()) + ".");
    private final TextsOption mcpServers =
            texts(
                    "NAME",
                    "Only this McpServer, under its own names; repeat it for"
                            + " several servers of the namespace. Default: the namespace.",
                    "--mcp-server");
    private final Flag write =
            flag(
                    "Add it to the file of the client, and keep the rest of the" + " file.",
                    "--write");

    private final Flag renew =
            flag("Replace the token in the file of the client.", "--renew-token");

    public ClientConfigCommand() {
        super(
                "Print the configuration that connects an MCP client, or write it.",
                "orlojctl client-config claude-code",
                "orlojctl client-config cursor --write",
                "orlojctl client-config vscode --mcp-server github -n team-a");
    }

    /**
     * Returns the client of a label.
     *
     * @throws UsageException when there is none
     */
    static ClientProgram client(String label) {
        return ClientProgram.of(label)
                .orElseThrow(
                        () ->
                                new UsageException(
                                        "client \"%s\" is none of %s%s"
                                                .formatted(
                                                        label,
                                                        String.join(", ", ClientProgram.labels()),
                                                        Suggestions.question(
                                                                label, ClientProgram.labels()))));
    }

    @Override
    public int run(Context context) {
        ClientProgram client = client(arguments.get().getFirst());
        OrlojEntry orloj =
                OrlojEntry.of(
                        context,
                        new McpEndpointPath(context.namespace(), mcpServers.get()),
                        new ClientTokens(context)::of);
        Path file = client.mainFile(Platform.of(context.console().environment()));
        if (write.isSet()) {
            write(context, client, file, orloj);
        } else {
            ObjectNode configuration = Json.MAPPER.createObjectNode();
            if (isList(client)) {
                configuration.putArray(client.section()).add(orloj.in(client));
            } else {
                configuration.putObject(client.section()).set(orloj.name(), orloj.in(client));
            }
            context.err().println("# " + file);
            context.out().print(print(file, client, orloj, configuration));
        }
        return ExitCode.OK;
    }

    private static boolean isList(ClientProgram client) {
        return client == ClientProgram.CONTINUE;
    }

    private static String print(
            Path file, ClientProgram client, OrlojEntry orloj, ObjectNode configuration) {
        ClientFile empty = empty(file, client);
        return switch (empty.syntax()) {
            case JSON -> configuration.toPrettyString() + "\n";
            case YAML, TOML -> FileEdit.apply(empty, edit(empty, client, orloj)).stripLeading();
        };
    }

    private static ClientFile empty(Path file, ClientProgram client) {
        return ClientFile.of(file.toString(), Optional.of(file), Optional.of(client), new byte[0]);
    }

    private void write(Context context, ClientProgram client, Path path, OrlojEntry orloj) {
        try {
            boolean exists = Files.exists(path);
            ClientFile file =
                    exists ? ClientFile.read(path, Optional.of(client)) : empty(path, client);
            Edit edit = edit(file, client, known(file, client, orloj));
            String changed = FileEdit.apply(file, edit);
            if (exists && changed.equals(file.text())) {
                context.out().print("%s is in %s already\n".formatted(orloj.name(), path));
            } else {
                new Backups(Platform.of(context.console().environment()).backups())
                        .change(
                                file,
                                exists,
                                changed,
                                List.of(moved(file, edit)),
                                context.console().clock().instant());
                context.out().print("%s written to %s\n".formatted(orloj.name(), path));
                context.err().println("\"orlojctl client restore\" takes this back.");
            }
            noteOthers(context, file, client, orloj);
        } catch (ClientFileException e) {
            throw new CommandException(
                    e.getMessage() + "; the command prints the entry without --write");
        }
    }

    /** A client keeps the token that it has, unless it should get a new one. */
    private OrlojEntry known(ClientFile file, ClientProgram client, OrlojEntry orloj) {
        Optional<String> token =
                renew.isSet()
                        ? Optional.empty()
                        : new Section(List.of(client.section()), file.root().path(client.section()))
                                .entries().stream()
                                        .filter(e -> e.name().equals(orloj.name()))
                                        .flatMap(e -> ClientTokens.in(e.node()).stream())
                                        .findFirst();
        return token.isPresent() ? orloj.withTokens(_ -> token) : orloj;
    }

    /** What is taken back in a file that the client has changed since. */
    private static Moved moved(ClientFile file, Edit edit) {
        boolean isReplaced =
                !edit.isList() && file.root().path(edit.path().getFirst()).has(edit.name());
        List<String> keys =
                isReplaced ? List.of(edit.name()) : edit.removed().stream().sorted().toList();
        return new Moved(edit.path(), edit.isList(), keys, edit.name());
    }

    private static Edit edit(ClientFile file, ClientProgram client, OrlojEntry orloj) {
        JsonNode section = file.root().path(client.section());
        Set<String> replaced =
                isList(client)
                        ? new Section(List.of(client.section()), section)
                                .entries().stream()
                                        .filter(e -> e.name().equals(orloj.name()))
                                        .map(Section.Entry::key)
                                        .collect(Collectors.toSet())
                        : Set.of();
        return new Edit(
                List.of(client.section()),
                isList(client),
                replaced,
                orloj.name(),
                Optional.of(orloj.in(client)));
    }

    /** A client that also runs the servers itself shows each of their tools twice. */
    private static void noteOthers(
            Context context, ClientFile file, ClientProgram client, OrlojEntry orloj) {
        long others =
                new Section(List.of(client.section()), file.root().path(client.section()))
                        .entries().stream().filter(e -> !e.name().equals(orloj.name())).count();
        if (others > 0) {
            context.err()
                    .println(
                            "%s has %d other server(s), which the client runs itself; \"orlojctl import %s --move\" moves them to Orloj"
                                    .formatted(file.name(), others, file.name()));
        }
    }
}
