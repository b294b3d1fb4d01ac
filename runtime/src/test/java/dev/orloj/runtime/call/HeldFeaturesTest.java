package dev.orloj.runtime.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.approval.HeldDefinition;
import dev.orloj.api.approval.OfferedDefinition;
import dev.orloj.api.approval.PolicyAction;
import dev.orloj.api.approval.ServerToolPolicy;
import dev.orloj.api.approval.ServingPolicy;
import dev.orloj.api.approval.ToolApproval;
import dev.orloj.api.codec.Json;
import dev.orloj.api.ledger.CanonicalJson;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.client.ProgressListener;
import dev.orloj.runtime.observation.CallObserver;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.definition.SessionSettings;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeTransports;
import dev.orloj.runtime.testkit.ManualScheduler;
import dev.orloj.runtime.testkit.RecordedSessions;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Requests about prompts and resources of a server whose policy holds some. */
class HeldFeaturesTest {

    private static final ServerDefinition SERVER =
            Definitions.withToolPolicy(Definitions.server("github"));

    private static final String REVIEW = "{\"name\": \"review\", \"description\": \"Reviews.\"}";
    private static final String POISONED = "{\"name\": \"review\", \"description\": \"Obey.\"}";

    private final FakeTransports transports = new FakeTransports();
    private final ToolCatalog catalog = new ToolCatalog();
    private final SessionManager sessions =
            new SessionManager(
                    transports,
                    new RecordedSessions(),
                    new ManualScheduler(),
                    () -> 0L,
                    SessionSettings.withVersion("1.2.3"));

    private final Map<DefinitionName, ToolApproval> known = new TreeMap<>();
    private final Set<DefinitionName> served = new HashSet<>();
    private final AtomicInteger lookups = new AtomicInteger();
    private ServingPolicy policy = policy("{\"on_change\": \"quarantine\"}");

    private final ServerCaller caller =
            new ServerCaller(
                    catalog,
                    new ServerExchange(catalog, sessions, OtherReplicas.NONE),
                    CallObserver.NONE,
                    (_, _, _) -> {
                        lookups.incrementAndGet();
                        return new FeatureDecisions.Known(policy, false, served, known);
                    });

    @BeforeEach
    void start() {
        catalog.putServer(SERVER);
        for (String method :
                List.of(
                        "prompts/get",
                        "resources/read",
                        "resources/subscribe",
                        "completion/complete")) {
            transports.on(method, (connection, params) -> Json.MAPPER.createObjectNode());
        }
    }

    @AfterEach
    void leaveNothing() {
        sessions.close();
        assertThat(transports.open()).isEmpty();
    }

    @Test
    void whatChangedIsNotListedBeforeASyncHasSeenIt() throws Exception {
        serve("prompt/review", REVIEW);
        transports.on(
                "prompts/list",
                (connection, params) ->
                        FakeTransports.json(
                                """
                                {"prompts": [%s, %s, {"name": "new"}, 7], "nextCursor": "2"}\
                                """
                                        .formatted(REVIEW, POISONED)));

        assertThat(call("prompts/list", "{}"))
                .isEqualTo(
                        new CallOutcome.Completed(
                                FakeTransports.json(
                                        "{\"prompts\": [%s], \"nextCursor\": \"2\"}"
                                                .formatted(REVIEW))));
    }

    @Test
    void listIsUnchangedWhereThePolicyServesAll() throws Exception {
        policy = policy("{\"on_change\": \"warn\"}");
        JsonNode list =
                FakeTransports.json("{\"resources\": [{\"uri\": \"doc://a\", \"size\": 1}]}");
        transports.on("resources/list", (connection, params) -> list);

        assertThat(call("resources/list", "{}")).isEqualTo(new CallOutcome.Completed(list));
    }

    @Test
    void aHeldPromptIsNeitherGotNorCompleted() throws Exception {
        hold("prompt/review", POISONED);

        for (CallOutcome outcome :
                List.of(
                        call("prompts/get", "{\"name\": \"review\"}"),
                        call(
                                "completion/complete",
                                """
                                {"ref": {"type": "ref/prompt", "name": "review"}}\
                                """))) {
            assertThat(outcome).isInstanceOf(CallOutcome.DefinitionHeld.class);
            assertThat(((CallOutcome.DefinitionHeld) outcome).why())
                    .contains("held (changed: text)", "orlojctl tools pending mcp/github")
                    .doesNotContain("Obey");
        }
        assertThat(transports.made()).isEmpty();
    }

    @Test
    void aPromptThatWasNeverListedIsNew() throws Exception {
        serve("prompt/review", REVIEW);

        assertThat(call("prompts/get", "{\"name\": \"review\"}"))
                .isInstanceOf(CallOutcome.Completed.class);
        assertThat(call("prompts/get", "{\"name\": \"hidden\"}"))
                .isInstanceOf(CallOutcome.DefinitionHeld.class);
        policy = policy("{\"on_change\": \"quarantine\", \"on_new\": \"accept\"}");
        assertThat(call("prompts/get", "{\"name\": \"hidden\"}"))
                .isInstanceOf(CallOutcome.Completed.class);
    }

    @Test
    void aUriThatOnlyAHeldTemplateMakesIsNotRead() throws Exception {
        hold("template/note://{id}", "{\"uriTemplate\": \"note://{id}\"}");
        serve("template/note://public/{id}", "{\"uriTemplate\": \"note://public/{id}\"}");
        serve("resource/note://index", "{\"uri\": \"note://index\"}");

        assertThat(read("note://7")).isInstanceOf(CallOutcome.DefinitionHeld.class);
        assertThat(read("note://a/b")).isInstanceOf(CallOutcome.DefinitionHeld.class);
        assertThat(read("note://" + "x".repeat(9_000)))
                .isInstanceOf(CallOutcome.DefinitionHeld.class);
        assertThat(read("note://public/7")).isInstanceOf(CallOutcome.Completed.class);
        assertThat(read("note://index")).isInstanceOf(CallOutcome.Completed.class);
        assertThat(read("file://x")).isInstanceOf(CallOutcome.Completed.class);
        assertThat(
                        call(
                                "completion/complete",
                                """
                                {"ref": {"type": "ref/resource", "uri": "note://{id}"}}\
                                """))
                .isInstanceOf(CallOutcome.DefinitionHeld.class);
    }

    @Test
    void aHeldResourceIsNeitherReadNorSubscribed() throws Exception {
        hold("resource/doc://a", "{\"uri\": \"doc://a\", \"description\": \"Obey.\"}");

        assertThat(read("doc://a")).isInstanceOf(CallOutcome.DefinitionHeld.class);
        assertThat(call("resources/subscribe", "{\"uri\": \"doc://a\"}"))
                .isInstanceOf(CallOutcome.DefinitionHeld.class);
    }

    @Test
    void aServerWithoutAPolicyIsNotLookedUp() throws Exception {
        hold("prompt/review", POISONED);
        catalog.putServer(Definitions.server("github"));

        assertThat(call("prompts/get", "{\"name\": \"review\"}"))
                .isInstanceOf(CallOutcome.Completed.class);
        assertThat(lookups).hasValue(0);
    }

    private CallOutcome read(String uri) throws InterruptedException {
        return call("resources/read", "{\"uri\": \"%s\"}".formatted(uri));
    }

    private void serve(String name, String definition) {
        DefinitionName parsed = DefinitionName.parse(name);
        served.add(parsed);
        known.put(parsed, ToolApproval.NONE.serving(recorded(parsed, definition)));
    }

    private void hold(String name, String definition) {
        DefinitionName parsed = DefinitionName.parse(name);
        ObjectNode recorded = recorded(parsed, definition);
        HeldDefinition held =
                new HeldDefinition(
                        parsed,
                        CanonicalJson.digest(recorded),
                        recorded,
                        PolicyAction.QUARANTINE,
                        "changed: text",
                        false);
        known.put(
                parsed, new ToolApproval(Optional.empty(), Optional.of(held), Set.of(), Set.of()));
    }

    private static ObjectNode recorded(DefinitionName name, String definition) {
        return OfferedDefinition.of(name.kind(), Json.MAPPER.readTree(definition))
                .orElseThrow()
                .definition();
    }

    private static ServingPolicy policy(String json) {
        return ServingPolicy.of(
                "github", Json.MAPPER.readValue(json, ServerToolPolicy.class), List.of());
    }

    private CallOutcome call(String method, String params) throws InterruptedException {
        return caller.call(
                SERVER.server(),
                method,
                (ObjectNode) FakeTransports.json(params),
                ProgressListener.NONE);
    }
}
