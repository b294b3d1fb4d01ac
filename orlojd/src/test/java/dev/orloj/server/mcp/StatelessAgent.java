package dev.orloj.server.mcp;

import dev.orloj.server.mcp.McpProbe.Answer;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/**
 * An agent of revision 2026-07-28.
 *
 * @param capabilities what it declares with each request, as JSON
 */
public record StatelessAgent(McpProbe probe, String capabilities) {

    private static final String VERSION = "2026-07-28";

    static final String META =
            """
            "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", \
            "io.modelcontextprotocol/clientCapabilities": {}}\
            """;

    /** One that can be asked for nothing. */
    public StatelessAgent(McpProbe probe) {
        this(probe, "{}");
    }

    /**
     * One without capabilities, at an endpoint of the namespace {@code default}.
     *
     * @param url of an orlojd
     * @param server whose endpoint it is; empty for that of the namespace
     */
    public static StatelessAgent at(String url, String server) {
        String endpoint = "/mcp/default" + (server.isEmpty() ? "" : "/mcpservers/" + server);
        return new StatelessAgent(new McpProbe(URI.create(url + endpoint)));
    }

    /** The same one, which says what it is as well. */
    public StatelessAgent named(String name) {
        String info =
                ", \"io.modelcontextprotocol/clientInfo\": {\"name\": \"%s\", \"version\": \"1\"}"
                        .formatted(name);
        return new StatelessAgent(probe, capabilities + info);
    }

    /** The same one, which receives what is logged for its requests. */
    public StatelessAgent receiving(String level) {
        return new StatelessAgent(
                probe, capabilities + ", \"io.modelcontextprotocol/logLevel\": \"" + level + '"');
    }

    /**
     * @param members of the params beside {@code _meta}, such as {@code "name": "x"}
     * @param headers beside those that every request has
     */
    public Answer ask(String method, String members, String... headers) {
        return probe.post(body(method, members), headers(method, headers));
    }

    public McpProbe.Stream open(String method, String members, String... headers) {
        return probe.open("POST", body(method, members), headers(method, headers));
    }

    public Answer call(String tool, String arguments, String... headers) {
        List<String> all = new ArrayList<>(List.of("Mcp-Name", tool));
        all.addAll(List.of(headers));
        return ask(
                "tools/call",
                "\"name\": \"%s\", \"arguments\": %s".formatted(tool, arguments),
                all.toArray(String[]::new));
    }

    private String body(String method, String members) {
        return request(method, members)
                .replace("clientCapabilities\": {}", "clientCapabilities\": " + capabilities);
    }

    static String request(String method, String members) {
        return Agent.request(method, "{" + META + (members.isEmpty() ? "" : ", " + members) + "}");
    }

    private static String[] headers(String method, String... more) {
        List<String> headers =
                new ArrayList<>(List.of("MCP-Protocol-Version", VERSION, "Mcp-Method", method));
        headers.addAll(List.of(more));
        return headers.toArray(String[]::new);
    }
}
