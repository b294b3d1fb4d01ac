package dev.orloj.server.acceptance;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.DecimalNode;
import tools.jackson.databind.node.NumericNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The MCP client of the official TypeScript SDK, as the judge of what servers offer and answer.
 *
 * @param home where the SDK is installed
 * @param servers a list such as {@code servers.json}
 * @param work what {@code ${WORK}} stands for in it
 */
record OfficialClient(Path home, Path servers, Path work) {

    private static final String SDK = "@modelcontextprotocol/sdk@1.32.2";
    private static final String SCRIPT = "server-stories.mjs";
    private static final String REQUESTS = "server-requests.json";

    static OfficialClient install(Path home, Path servers, Path work)
            throws IOException, InterruptedException {
        Files.createDirectories(home);
        Files.writeString(home.resolve("package.json"), "{\"private\": true}");
        Command.run(
                home,
                Duration.ofMinutes(5),
                List.of("npm", "install", "--silent", "--no-audit", "--no-fund", SDK));
        NodePackages packages = new NodePackages(home);
        packages.script(SCRIPT);
        packages.script(REQUESTS);
        return new OfficialClient(home, servers, work);
    }

    /**
     * What each server offers and answers when it is asked directly, by its name. Where npm has to
     * fetch a server first, that is done here.
     */
    Map<String, JsonNode> askServers() throws IOException, InterruptedException {
        return ask();
    }

    /** The same, asked through a gateway that has an endpoint for each. */
    Map<String, JsonNode> askThrough(String endpoints) throws IOException, InterruptedException {
        return ask(endpoints);
    }

    private Map<String, JsonNode> ask(String... endpoints)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.addAll(List.of("node", SCRIPT, servers.toString(), REQUESTS, work.toString()));
        command.addAll(List.of(endpoints));
        String stories = Command.run(home, Duration.ofMinutes(30), command);
        Map<String, JsonNode> byServer = new TreeMap<>();
        for (Map.Entry<String, JsonNode> story : Json.MAPPER.readTree(stories).properties()) {
            byServer.put(story.getKey(), comparable(story.getValue()));
        }
        return byServer;
    }

    /** The definitions of the tools of a story, by their names. */
    static Map<String, JsonNode> tools(JsonNode story) {
        Map<String, JsonNode> byName = new TreeMap<>();
        story.path("tools").forEach(tool -> byName.put(tool.path("name").asString(), tool));
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
