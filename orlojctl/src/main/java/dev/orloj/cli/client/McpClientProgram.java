package dev.orloj.cli.client;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.node.ObjectNode;

import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An MCP client whose configuration format is known. */
enum McpClientProgram {
    CLAUDE("claude", "mcpServers", Way.PROGRAM),
    CLAUDE_CODE("claude-code", "mcpServers", Way.TYPED_URL),
    CURSOR("cursor", "mcpServers", Way.URL),
    VSCODE("vscode", "servers", Way.TYPED_URL),
    WINDSURF("windsurf", "mcpServers", Way.SERVER_URL),
    ZED("zed", "context_servers", Way.URL);

    /** How a configuration specifies a server. */
    private enum Way {
        PROGRAM,
        URL,
        TYPED_URL,
        SERVER_URL
    }

    private final String label;
    private final String section;
    private final Way way;

    McpClientProgram(String label, String section, Way way) {
        this.label = label;
        this.section = section;
        this.way = way;
    }

    static Optional<McpClientProgram> of(String label) {
        return Arrays.stream(values()).filter(client -> client.label.equals(label)).findFirst();
    }

    static List<String> labels() {
        return Arrays.stream(values()).map(client -> client.label).toList();
    }

    /** Returns the member of the configuration that lists servers. */
    String section() {
        return section;
    }

    /**
     * Returns the configuration entry of one server.
     *
     * @param program the command line, for clients that only start programs
     */
    ObjectNode entry(URI url, List<String> program) {
        ObjectNode entry = Json.MAPPER.createObjectNode();
        switch (way) {
            case PROGRAM -> {
                entry.put("command", program.getFirst());
                program.subList(1, program.size()).forEach(entry.putArray("args")::add);
            }
            case URL -> entry.put("url", url.toString());
            case TYPED_URL -> entry.put("type", "http").put("url", url.toString());
            case SERVER_URL -> entry.put("serverUrl", url.toString());
        }
        return entry;
    }

    /**
     * Returns the path of the configuration file.
     *
     * @param project the current folder, for clients with a configuration per project
     */
    Path file(Map<String, String> environment, Path project) {
        Path home = Path.of(environment.getOrDefault("HOME", "."));
        String configured = environment.getOrDefault("XDG_CONFIG_HOME", "");
        Path config = configured.isEmpty() ? home.resolve(".config") : Path.of(configured);
        return switch (this) {
            case CLAUDE -> config.resolve("Claude/claude_desktop_config.json");
            case CLAUDE_CODE -> project.resolve(".mcp.json");
            case CURSOR -> home.resolve(".cursor/mcp.json");
            case VSCODE -> project.resolve(".vscode/mcp.json");
            case WINDSURF -> home.resolve(".codeium/windsurf/mcp_config.json");
            case ZED -> config.resolve("zed/settings.json");
        };
    }
}
