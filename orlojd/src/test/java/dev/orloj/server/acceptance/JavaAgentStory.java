package dev.orloj.server.acceptance;

import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.codec.Json;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.ClientCapabilities;
import io.modelcontextprotocol.spec.McpSchema.CompleteRequest;
import io.modelcontextprotocol.spec.McpSchema.CompleteRequest.CompleteArgument;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageResult;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.modelcontextprotocol.spec.McpSchema.GetPromptRequest;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.modelcontextprotocol.spec.McpSchema.PromptReference;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceRequest;
import io.modelcontextprotocol.spec.McpSchema.Role;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;

/** The story of {@code agent-story.mjs}, with the client of the official Java SDK. */
final class JavaAgentStory implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final Set<Integer> MISSING = Set.of(-32002, -32602);

    private final CancellingTransport transport;
    private final McpSyncClient client;
    private final BlockingQueue<ProgressNotification> progress = new LinkedBlockingQueue<>();
    private final BlockingQueue<List<String>> changes = new LinkedBlockingQueue<>();

    private JavaAgentStory(URI endpoint) {
        transport =
                new CancellingTransport(
                        HttpClientStreamableHttpTransport.builder(endpoint.resolve("/").toString())
                                .endpoint(endpoint.getPath())
                                .build());
        client =
                McpClient.sync(transport)
                        .requestTimeout(TIMEOUT)
                        .capabilities(ClientCapabilities.builder().elicitation().sampling().build())
                        .elicitation(
                                question ->
                                        new ElicitResult(
                                                ElicitResult.Action.ACCEPT, Map.of("name", "Petr")))
                        .sampling(
                                question ->
                                        CreateMessageResult.builder(Role.ASSISTANT, "Pavel", "none")
                                                .build())
                        .progressConsumer(progress::add)
                        .toolsChangeConsumer(
                                tools ->
                                        changes.add(
                                                tools.stream().map(Tool::name).sorted().toList()))
                        .build();
    }

    static JsonNode publish(URI endpoint) throws InterruptedException {
        try (JavaAgentStory agent = new JavaAgentStory(endpoint)) {
            return agent.publish();
        }
    }

    private JsonNode publish() throws InterruptedException {
        client.initialize();
        ObjectNode story = Json.MAPPER.createObjectNode();
        story.set("server", json(client.getServerInfo()));
        story.put("instructions", client.getServerInstructions());
        listLists(story);
        listCalls(story);
        listReads(story);
        story.put("cancelled", cancelled());
        ArrayNode reported = story.putArray("changes");
        for (String tool : List.of("grow", "shrink")) {
            call(tool);
            List<String> names = changes.poll(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            reported.add(json(names == null ? List.of() : names));
        }
        return story;
    }

    private void listLists(ObjectNode story) {
        JsonNode tools = json(client.listTools()).path("tools");
        StreamSupport.stream(tools.spliterator(), false)
                .sorted((a, b) -> a.path("name").asString().compareTo(b.path("name").asString()))
                .forEach(story.putArray("tools")::add);
        story.set("prompts", json(client.listPrompts()).path("prompts"));
        story.set("resources", json(client.listResources()).path("resources"));
        story.set("templates", json(client.listResourceTemplates()).path("resourceTemplates"));
    }

    private void listCalls(ObjectNode story) throws InterruptedException {
        story.set("echo", call("echo", Map.of("message", "Ahoj — 你好 \u0000")));
        for (String tool : List.of("everything", "measure", "fail")) {
            story.set(tool, call(tool));
        }
        story.set("steps", call("steps"));
        ArrayNode steps = story.putArray("progress");
        for (int i = 0; i < 3; i++) {
            ProgressNotification step = progress.poll(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            if (step != null) {
                steps.add(((ObjectNode) json(step)).without("progressToken"));
            }
        }
        story.put(
                "unknown",
                catchThrowableOfType(McpError.class, () -> call("nothing"))
                        .getJsonRpcError()
                        .code());
        ArrayNode asked = story.putArray("asked");
        for (String tool : List.of("ask_user", "ask_model")) {
            try {
                asked.add(call(tool));
            } catch (McpError e) {
                asked.add("refused");
            }
        }
    }

    private void listReads(ObjectNode story) {
        story.set(
                "prompt",
                json(client.getPrompt(new GetPromptRequest("greet", Map.of("who", "Petr")))));
        story.set("text", read("story://texts/first"));
        story.set("item", read("story://items/7"));
        McpError missing = catchThrowableOfType(McpError.class, () -> read("story://texts/none"));
        story.put("missing", MISSING.contains(missing.getJsonRpcError().code()));
        story.set(
                "completion",
                json(
                        client.completeCompletion(
                                new CompleteRequest(
                                        new PromptReference("greet"),
                                        new CompleteArgument("who", "P")))));
    }

    /** How many calls the server was asked to cancel, after one that was. */
    private int cancelled() throws InterruptedException {
        int before = givenUp();
        // The client goes on waiting for the answer, which a cancelled request does not get.
        Thread waiting =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    Throwable _ = catchThrowable(() -> call("wait"));
                                });
        progress.poll(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        transport.cancelLastRequest();
        await().until(() -> givenUp() != before);
        waiting.interrupt();
        return givenUp() - before;
    }

    private int givenUp() {
        TextContent count =
                (TextContent)
                        client.callTool(new CallToolRequest("given_up", Map.of()))
                                .content()
                                .getFirst();
        return Integer.parseInt(count.text());
    }

    private JsonNode call(String tool) {
        return call(tool, Map.of());
    }

    private JsonNode call(String tool, Map<String, Object> arguments) {
        return json(
                client.callTool(
                        CallToolRequest.builder(tool)
                                .arguments(arguments)
                                .progressToken(tool)
                                .build()));
    }

    private JsonNode read(String uri) {
        return json(client.readResource(new ReadResourceRequest(uri)));
    }

    private static JsonNode json(Object value) {
        try {
            return Json.MAPPER.readTree(McpJsonDefaults.getMapper().writeValueAsString(value));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
