package dev.orloj.server.acceptance;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.runtime.call.CallOutcome;
import dev.orloj.runtime.call.CallRequest;
import dev.orloj.runtime.call.OtherReplicas;
import dev.orloj.runtime.call.ServerCaller;
import dev.orloj.runtime.call.ServerExchange;
import dev.orloj.runtime.call.ToolCaller;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.catalog.ToolEntry;
import dev.orloj.runtime.client.ClientCapabilities;
import dev.orloj.runtime.client.ProgressListener;
import dev.orloj.runtime.client.ServerRequestPolicy;
import dev.orloj.runtime.result.KeptResults;
import dev.orloj.runtime.result.ResultLimiter;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.RealSessions;
import dev.orloj.runtime.trace.CallId;
import dev.orloj.runtime.transport.ServerAddress;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * What the conformance suite runs as a client: the way of a call through orlojd, from the catalog
 * to the server, without the resources and endpoints before it. It uses all that a server offers,
 * and plays the agent who is asked back. It fails when a server has not answered.
 */
final class ConformanceClient implements AutoCloseable {

    private static final String SCENARIO = "MCP_CONFORMANCE_SCENARIO";
    private static final String CONTEXT = "MCP_CONFORMANCE_CONTEXT";

    private static final int MOST_ROUNDS = 5;

    private final RealSessions real = new RealSessions();
    private final SessionManager sessions = real.manager();
    private final ToolCatalog catalog = new ToolCatalog();
    private final ServerExchange exchange =
            new ServerExchange(catalog, sessions, OtherReplicas.NONE);
    private final ToolCaller tools =
            new ToolCaller(
                    catalog,
                    exchange,
                    new ResultLimiter(new KeptResults(real.clock())),
                    call -> {},
                    real.clock());
    private final ServerCaller others = new ServerCaller(catalog, exchange);
    private final AcceptingAgent agent = new AcceptingAgent();
    private final ServerDefinition server;

    private ConformanceClient(URI endpoint) {
        ServerAddress address = new ServerAddress.Http(endpoint, Map.of());
        server =
                Definitions.withBridge(
                        Definitions.withAddress(Definitions.server("conformance"), address),
                        new ServerRequestPolicy(Set.of(ClientCapabilities.ELICITATION), Set.of()));
        catalog.putServer(server);
    }

    /**
     * @param arguments the address of the server
     */
    public static void main(String[] arguments) throws InterruptedException {
        String scenario = Objects.requireNonNull(System.getenv(SCENARIO), SCENARIO);
        JsonNode context =
                Json.MAPPER.readTree(Objects.requireNonNullElse(System.getenv(CONTEXT), "{}"));
        try (ConformanceClient client = new ConformanceClient(URI.create(arguments[0]))) {
            client.useTools(scenario, context);
            client.useEach("resources", "resources/read", "uri");
            client.useEach("prompts", "prompts/get", "name");
        }
    }

    private void useTools(String scenario, JsonNode context) throws InterruptedException {
        List<ObjectNode> listed =
                sessions.withSession(server, session -> session.discoverTools().tools());
        for (ObjectNode tool : listed) {
            catalog.putTool(entry(tool));
        }
        if (context.has("toolCalls")) {
            for (JsonNode call : context.path("toolCalls")) {
                call(call.path("name").asString(), (ObjectNode) call.path("arguments"));
            }
        } else if (scenario.equals("json-schema-2020-12-preservation")) {
            // What has been listed for the first tool is compared with what reaches the second.
            ObjectNode arguments = Json.MAPPER.createObjectNode();
            arguments.set("schema", listed.getFirst().path("inputSchema"));
            call(listed.getLast().path("name").asString(), arguments);
        } else {
            for (ObjectNode tool : listed) {
                call(tool.path("name").asString(), AcceptingAgent.filled(tool.path("inputSchema")));
            }
        }
    }

    private ToolEntry entry(ObjectNode tool) {
        String name = tool.path("name").asString();
        return new ToolEntry(
                key(name),
                "uid-" + name,
                server.server(),
                name,
                name,
                tool.path("inputSchema"),
                Optional.empty());
    }

    private ResourceKey key(String tool) {
        return new ResourceKey(server.server().namespace(), tool);
    }

    /** Round after round, until the server wants to know no more. */
    private void call(String tool, ObjectNode arguments) throws InterruptedException {
        ObjectNode extra = Json.MAPPER.createObjectNode();
        for (int round = 1; round <= MOST_ROUNDS; round++) {
            CallOutcome outcome = tools.call(request(tool, arguments, extra));
            if (!(outcome instanceof CallOutcome.InputRequired(_, ObjectNode asked))) {
                requireAnswered(tool, outcome);
                return;
            }
            extra = agent.answers(asked);
        }
        throw new IllegalStateException(tool + " asks on after %d rounds".formatted(MOST_ROUNDS));
    }

    private CallRequest request(String tool, ObjectNode arguments, ObjectNode extra) {
        return new CallRequest(
                key(tool),
                arguments,
                Optional.empty(),
                "agent",
                extra,
                ProgressListener.NONE,
                CallId.NONE,
                agent);
    }

    /**
     * Lists what the server has of a kind, where it says that it has some, and gets each of it.
     *
     * @param member what names one, in the list as well as in the request for it
     */
    private void useEach(String kind, String method, String member) throws InterruptedException {
        if (!sessions.sessionFor(server).identity().capabilities().has(kind)) {
            return;
        }
        JsonNode list = ask(kind + "/list", Json.MAPPER.createObjectNode());
        for (JsonNode each : list.path(kind)) {
            ask(method, Json.MAPPER.createObjectNode().put(member, each.path(member).asString()));
        }
    }

    private JsonNode ask(String method, ObjectNode params) throws InterruptedException {
        CallOutcome outcome =
                others.call(server.server(), method, params, ProgressListener.NONE, agent);
        if (outcome instanceof CallOutcome.Completed(JsonNode result)) {
            return result;
        }
        throw new IllegalStateException(method + ": " + outcome);
    }

    /** Some servers list tools and do not let them be called. */
    private static void requireAnswered(String tool, CallOutcome outcome) {
        if (!(outcome instanceof CallOutcome.Completed
                || outcome instanceof CallOutcome.ServerError)) {
            throw new IllegalStateException(tool + ": " + outcome);
        }
    }

    @Override
    public void close() {
        real.close();
    }
}
