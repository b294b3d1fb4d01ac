package dev.orloj.cli.command;

import java.util.regex.Pattern;

/**
 * Where orlojd is an MCP server.
 *
 * @param server empty for all of the namespace
 */
record McpEndpointPath(String namespace, String server) {

    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");

    McpEndpointPath {
        require("namespace", namespace);
        if (!server.isEmpty()) {
            require("server", server);
        }
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
        return "/mcp/" + namespace + (server.isEmpty() ? "" : "/mcpservers/" + server);
    }
}
