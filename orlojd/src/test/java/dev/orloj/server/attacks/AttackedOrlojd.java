package dev.orloj.server.attacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.codec.Json;
import dev.orloj.api.ledger.CanonicalJson;
import dev.orloj.api.ledger.GeneratedTool;
import dev.orloj.api.ledger.LedgerEntry;
import dev.orloj.server.mcp.Agent;
import dev.orloj.server.mcp.McpProbe;
import dev.orloj.server.mcp.StatelessAgent;
import dev.orloj.server.testing.PolicyProbe;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import org.awaitility.core.ConditionFactory;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An orlojd before {@link AttackServers}, and what its clients get. A server is named by its
 * namespace and its name, such as {@code a01-open/attack}, in both.
 */
final class AttackedOrlojd implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(50);

    /** The list that has definitions, and its method, by the kind of the definitions. */
    private static final Map<String, List<String>> LISTS =
            Map.of(
                    "tool", List.of("tools/list", "tools"),
                    "prompt", List.of("prompts/list", "prompts"),
                    "resource", List.of("resources/list", "resources"),
                    "template", List.of("resources/templates/list", "resourceTemplates"));

    /** The entries about what is served from then on. */
    private static final Set<String> SERVED =
            Set.of(LedgerEntry.ENROLLED, LedgerEntry.CHANGED, LedgerEntry.RENAMED);

    private final AttackServers servers;
    private final RunningOrlojd orlojd = RunningOrlojd.start();

    AttackedOrlojd(AttackServers servers) {
        this.servers = servers;
    }

    RestClient client() {
        return orlojd.client();
    }

    void createNamespace(String name) {
        orlojd.createNamespace(name);
    }

    /**
     * Creates a server.
     *
     * @param more further lines of its spec
     */
    void create(String server, ObjectNode offer, String... more) {
        servers.offer(server, offer);
        client().create(namespace(server), "mcpservers", servers.manifest(server, more));
    }

    /** Has the server open a new session. */
    void restart(String server) {
        client().post(path(server) + "/restart", "{}").expect(200);
    }

    void awaitReady(String server) {
        orlojd.awaitReady(namespace(server), name(server));
    }

    /** Waits until a definition of a server is served. */
    void awaitServed(String server, String name, String digest) {
        soon().untilAsserted(
                        () ->
                                assertThat(served(server, DefinitionName.parse(name).kind()))
                                        .containsEntry(name, digest));
    }

    /** Waits until agents get a definition, too: the catalog follows the store. */
    void awaitListed(String server, String kind, String digest) {
        soon().untilAsserted(() -> assertThat(listed(server, kind)).contains(digest));
    }

    /** Waits until a definition of a server is held. */
    void awaitHeld(String server, String name, String digest) {
        soon().untilAsserted(
                        () ->
                                assertThat(probe(server).held(name(server)))
                                        .containsEntry(name, digest));
    }

    /** Waits until the definitions of a server are examined, and returns the findings. */
    JsonNode awaitExamined(String server) {
        return soon().until(
                        () -> probe(server).read(name(server), "").at("/status/findings"),
                        findings -> findings.path("examined").asInt(0) > 0);
    }

    /** Digests of the tools of a server that clients of REST get, by their names on the server. */
    Map<String, String> servedTools(String server) {
        Map<String, String> served = new TreeMap<>();
        for (JsonNode document :
                client().get(
                                RestClient.collection(namespace(server), "tools")
                                        + "?labelSelector=orloj.dev/mcp-server="
                                        + name(server))
                        .expect(200)
                        .body()
                        .path("items")) {
            GeneratedTool.of(document)
                    .ifPresent(
                            tool ->
                                    served.put(
                                            tool.tool(), CanonicalJson.digest(tool.definition())));
        }
        return served;
    }

    /** Digests of the definitions of a kind that are served, by name. */
    private Map<String, String> served(String server, DefinitionName.Kind kind) {
        return switch (kind) {
            case TOOL -> servedTools(server);
            case INSTRUCTIONS ->
                    Map.of("server/instructions", CanonicalJson.digest(instructions(server)));
            case PROMPT, TEMPLATE, RESOURCE, SERVER_INFO, RUNS ->
                    probe(server).served(name(server));
        };
    }

    /** Digests of all definitions of a server that were ever served. */
    Set<String> everServed(String server) {
        Set<String> digests = new HashSet<>();
        for (LedgerEntry entry : probe(server).entries(name(server))) {
            if (entry.subject().equals(LedgerEntry.SERVER)) {
                JsonNode stated =
                        probe(server).read(name(server), "/ledger/contents/" + entry.content());
                digests.add(CanonicalJson.digest(instructionsOf(stated)));
            } else if (SERVED.contains(entry.operation())) {
                digests.add(entry.content());
            }
        }
        return digests;
    }

    /** Digests of all tools of a server that were ever served. */
    Set<String> everServedTools(String server) {
        return probe(server).entries(name(server)).stream()
                .filter(entry -> entry.subject().equals(LedgerEntry.TOOL))
                .filter(entry -> SERVED.contains(entry.operation()))
                .map(LedgerEntry::content)
                .collect(Collectors.toSet());
    }

    /** Digests of the definitions of a kind that an agent gets at the endpoint of a server. */
    Set<String> listed(String server, String kind) {
        if (kind.equals("instructions")) {
            return Set.of(CanonicalJson.digest(instructions(server)));
        }
        return items(endpoint(server), kind).map(CanonicalJson::digest).collect(Collectors.toSet());
    }

    /** Digests of its tools at the endpoint of its namespace, without the prefix of the server. */
    Set<String> listedInNamespace(String server) {
        String prefix = name(server) + "__";
        return items("/mcp/" + namespace(server), "tool")
                .filter(item -> item.path("name").asString().startsWith(prefix))
                .map(item -> (ObjectNode) item.deepCopy())
                .map(
                        item ->
                                item.put(
                                        "name",
                                        item.path("name").asString().substring(prefix.length())))
                .map(CanonicalJson::digest)
                .collect(Collectors.toSet());
    }

    /**
     * Digests of the definitions of a kind of all servers of a namespace, without their names,
     * which are others there.
     */
    Set<String> listedWithoutNames(String namespace, String kind) {
        return items("/mcp/" + namespace, kind)
                .map(AttackedOrlojd::digestWithoutName)
                .collect(Collectors.toSet());
    }

    static String digestWithoutName(JsonNode definition) {
        ObjectNode rest = (ObjectNode) definition.deepCopy();
        return CanonicalJson.digest(rest.without(List.of("name", "uri", "uriTemplate")));
    }

    private Stream<JsonNode> items(String endpoint, String kind) {
        List<String> list = LISTS.get(kind);
        return ask(endpoint, list.getFirst()).path(list.getLast()).valueStream();
    }

    private ObjectNode instructions(String server) {
        return instructionsOf(ask(endpoint(server), "server/discover"));
    }

    private static ObjectNode instructionsOf(JsonNode document) {
        return Json.MAPPER
                .createObjectNode()
                .put("instructions", document.path("instructions").asString(""));
    }

    /** The result of a request without parameters. */
    JsonNode ask(String endpoint, String method) {
        JsonNode answer = new StatelessAgent(agent(endpoint)).ask(method, "").json();
        assertThat(answer.path("result").isObject()).as(answer.toString()).isTrue();
        return answer.path("result");
    }

    /** What an agent with a session gets. */
    JsonNode ask(String server, String method, ObjectNode params) {
        return open(server).ask(method, params.toString()).json();
    }

    /** An agent with a session at the endpoint of a server. */
    Agent open(String server) {
        return Agent.initialize(agent(endpoint(server)), "2025-11-25");
    }

    /** Most of what is waited for is so already: the usual delay is longer than all tests. */
    static ConditionFactory soon() {
        return await().pollDelay(Duration.ZERO).pollInterval(POLL).atMost(TIMEOUT);
    }

    private McpProbe agent(String endpoint) {
        return new McpProbe(URI.create(client().url() + endpoint));
    }

    static String endpoint(String server) {
        return "/mcp/" + namespace(server) + "/mcpservers/" + name(server);
    }

    PolicyProbe probe(String server) {
        return new PolicyProbe(client(), namespace(server));
    }

    static String namespace(String server) {
        return server.substring(0, server.indexOf('/'));
    }

    static String name(String server) {
        return server.substring(server.indexOf('/') + 1);
    }

    static String path(String server) {
        return PolicyProbe.path(namespace(server), name(server));
    }

    @Override
    public void close() {
        orlojd.close();
    }
}
