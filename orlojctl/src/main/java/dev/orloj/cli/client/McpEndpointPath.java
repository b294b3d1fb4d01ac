package dev.orloj.cli.client;

import dev.orloj.cli.command.UsageException;

import java.util.List;
import java.util.regex.Pattern;

/**
 * The path of an MCP endpoint of orlojd.
 *
 * @param servers empty for the whole namespace; a single server is shown under its own names,
 *     several under the names of the namespace
 */
record McpEndpointPath(String namespace, List<String> servers) {

    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");

    McpEndpointPath {
        require("namespace", namespace);
        servers = servers.stream().distinct().toList();
        servers.forEach(server -> require("server", server));
    }

    private static void require(String what, String name) {
        if (!NAME.matcher(name).matches()) {
            throw new UsageException(
                    "%s \"%s\" is no name: lower case letters, digits and \"-\""
                            .formatted(what, name));
        }
    }

    @Override
    public String toString() {
        String all = "/mcp/" + namespace;
        return switch (servers.size()) {
            case 0 -> all;
            case 1 -> all + "/mcpservers/" + servers.getFirst();
            default -> all + "?servers=" + String.join(",", servers);
        };
    }
}
