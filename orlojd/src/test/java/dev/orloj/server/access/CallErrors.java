package dev.orloj.server.access;

import static org.awaitility.Awaitility.await;

import dev.orloj.server.testing.RestClient;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The errors of a client on all ways to a tool and to its server. */
final class CallErrors {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String NO_ARGUMENTS = "{\"arguments\": {}}";

    private CallErrors() {}

    /** Returns the path of a call of a Tool of the default namespace. */
    static String path(String tool) {
        return RestClient.collection("default", "tools") + "/" + tool + "/call";
    }

    static HttpsClient.Answer call(HttpsClient client, String tool) throws Exception {
        return client.post(path(tool), NO_ARGUMENTS);
    }

    /** Returns the errors of a Tool, over REST and over MCP. */
    static List<String> ofTool(HttpsClient client, String tool) throws Exception {
        List<String> errors = new ArrayList<>();
        errors.add(call(client, tool).text());
        errors.add(client.post(path(tool), NO_ARGUMENTS, "Accept", "text/event-stream").text());
        HttpsClient.Answer kept = client.post(path(tool), NO_ARGUMENTS, "Prefer", "respond-async");
        String location = kept.header("Location");
        await().atMost(TIMEOUT).until(() -> !client.get(location).text().contains("\"Running\""));
        errors.add(client.get(location).text());
        for (McpUser each : agents(client)) {
            errors.add(
                    each.ask("tools/call", "{\"name\": \"%s\"}".formatted(tool.replace("--", "__")))
                            .text());
        }
        return errors;
    }

    /** Returns the errors of a server with the tool {@code echo}, prompts and resources. */
    static List<String> ofServer(HttpsClient client, String server) throws Exception {
        List<String> errors = ofTool(client, server + "--echo");
        for (McpUser each : agents(client)) {
            errors.add(each.ask("prompts/get", "{\"name\": \"%s__p\"}".formatted(server)).text());
            errors.add(
                    each.ask(
                                    "resources/read",
                                    "{\"uri\": \"orloj+%s+file:///r\"}".formatted(server))
                            .text());
        }
        return errors;
    }

    /** Returns an agent without sessions and one with a session. */
    private static List<McpUser> agents(HttpsClient client) throws Exception {
        McpUser agent = new McpUser(client, "/mcp");
        return List.of(agent, agent.initialized("2025-11-25"));
    }
}
