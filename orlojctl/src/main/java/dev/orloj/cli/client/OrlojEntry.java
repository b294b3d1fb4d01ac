package dev.orloj.cli.client;

import dev.orloj.api.codec.Json;
import dev.orloj.cli.clientfile.ClientFile;
import dev.orloj.cli.clientfile.ClientProgram;
import dev.orloj.cli.command.Context;

import tools.jackson.databind.node.ObjectNode;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The entry in the file of a client that connects it to this Orloj.
 *
 * @param server where the client reaches it
 * @param launcher the program that starts orlojctl
 * @param connection the options with which orlojctl reaches it
 * @param isClosed whether it asks for a credential
 * @param tokens gives a client a token
 */
record OrlojEntry(
        URI server,
        McpEndpointPath path,
        String launcher,
        List<String> connection,
        boolean isClosed,
        Function<ClientProgram, Optional<String>> tokens) {

    private static final String NAME = "orloj";

    static OrlojEntry of(
            Context context,
            McpEndpointPath path,
            Function<ClientProgram, Optional<String>> tokens) {
        return new OrlojEntry(
                context.urlForClients(),
                path,
                // The launcher sets the variable to its own path.
                context.console().environment().getOrDefault("ORLOJCTL_LAUNCHER", "orlojctl"),
                context.connectionOptions(),
                context.hasCredential(),
                tokens);
    }

    String name() {
        return Stream.concat(Stream.of(NAME), path.servers().stream())
                .collect(Collectors.joining("-"));
    }

    ObjectNode in(ClientProgram client) {
        return isClosed && client.isOfProject()
                ? ClientProgram.programEntry(program())
                : in(client, tokens.apply(client));
    }

    private ObjectNode in(ClientProgram client, Optional<String> token) {
        return client.entry(name(), URI.create(server + path.toString()), program(), token);
    }

    OrlojEntry withTokens(Function<ClientProgram, Optional<String>> other) {
        return new OrlojEntry(server, path, launcher, connection, isClosed, other);
    }

    /** Returns the entry for a file; that of an unknown client starts a program. */
    ObjectNode in(ClientFile file, boolean isList) {
        ObjectNode entry =
                file.client().map(this::in).orElseGet(() -> ClientProgram.programEntry(program()));
        if (!isList || entry.has("name")) {
            return entry;
        }
        ObjectNode named = Json.MAPPER.createObjectNode().put("name", name());
        named.setAll(entry);
        return named;
    }

    private List<String> program() {
        List<String> program = new ArrayList<>();
        program.add(launcher);
        program.addAll(List.of("mcp", "serve"));
        program.addAll(connection);
        program.addAll(List.of("--namespace", path.namespace()));
        program.addAll(path.servers());
        return program;
    }
}
