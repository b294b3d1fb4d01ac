package dev.orloj.cli.client;

import dev.orloj.api.codec.Json;
import dev.orloj.cli.clientfile.ClientFile;
import dev.orloj.cli.clientfile.ClientProgram;

import tools.jackson.databind.node.ObjectNode;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The entry in the file of a client that connects it to this Orloj.
 *
 * @param launcher the program that starts orlojctl
 */
record OrlojEntry(URI server, McpEndpointPath path, String launcher) {

    private static final String NAME = "orloj";

    static OrlojEntry of(URI server, McpEndpointPath path, Map<String, String> environment) {
        // The launcher sets the variable to its own path.
        return new OrlojEntry(
                server, path, environment.getOrDefault("ORLOJCTL_LAUNCHER", "orlojctl"));
    }

    String name() {
        return Stream.concat(Stream.of(NAME), path.servers().stream())
                .collect(Collectors.joining("-"));
    }

    ObjectNode in(ClientProgram client) {
        return client.entry(name(), URI.create(server + path.toString()), program());
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
        program.addAll(List.of("mcp", "serve", "--server", server.toString()));
        program.addAll(List.of("--namespace", path.namespace()));
        program.addAll(path.servers());
        return program;
    }
}
