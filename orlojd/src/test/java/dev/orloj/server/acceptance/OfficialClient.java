package dev.orloj.server.acceptance;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.DecimalNode;
import tools.jackson.databind.node.NumericNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The MCP client of the official TypeScript SDK, as the judge of what a server offers. */
final class OfficialClient {

    private static final String SDK = "@modelcontextprotocol/sdk@1.32.2";

    private OfficialClient() {}

    /**
     * The definitions of the tools of each server, by the name of the server and of the tool. Where
     * npm has to fetch a server first, that is done here.
     */
    static Map<String, Map<String, JsonNode>> listTools(Path list, Path work)
            throws IOException, InterruptedException {
        Path home = Files.createDirectories(work.resolve("official-client"));
        Files.writeString(home.resolve("package.json"), "{\"private\": true}");
        Command.run(
                home,
                Duration.ofMinutes(5),
                List.of("npm", "install", "--silent", "--no-audit", "--no-fund", SDK));
        try (InputStream script = OfficialClient.class.getResourceAsStream("list-tools.mjs")) {
            if (script == null) {
                throw new IllegalStateException("list-tools.mjs is missing");
            }
            Files.copy(script, home.resolve("list-tools.mjs"));
        }
        String listed =
                Command.run(
                        home,
                        Duration.ofMinutes(30),
                        List.of("node", "list-tools.mjs", list.toString(), work.toString()));
        Map<String, Map<String, JsonNode>> servers = new TreeMap<>();
        for (Map.Entry<String, JsonNode> server : Json.MAPPER.readTree(listed).properties()) {
            servers.put(server.getKey(), byName(server.getValue().path("tools")));
        }
        return servers;
    }

    private static Map<String, JsonNode> byName(JsonNode tools) {
        Map<String, JsonNode> byName = new TreeMap<>();
        tools.valueStream()
                .forEach(tool -> byName.put(tool.path("name").asString(), comparable(tool)));
        return byName;
    }

    /** JavaScript writes 1.0 as 1: numbers are compared as such, not as they are written. */
    static JsonNode comparable(JsonNode value) {
        return switch (value) {
            case ObjectNode object -> {
                ObjectNode copy = Json.MAPPER.createObjectNode();
                object.properties().forEach(f -> copy.set(f.getKey(), comparable(f.getValue())));
                yield copy;
            }
            case ArrayNode array -> {
                ArrayNode copy = Json.MAPPER.createArrayNode();
                array.forEach(item -> copy.add(comparable(item)));
                yield copy;
            }
            case NumericNode number ->
                    DecimalNode.valueOf(number.decimalValue().stripTrailingZeros());
            default -> value;
        };
    }
}
