package dev.orloj.server.rest.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.approval.HeldDefinition;
import dev.orloj.api.approval.PolicyAction;
import dev.orloj.api.codec.Json;
import dev.orloj.api.ledger.CanonicalJson;
import dev.orloj.server.rest.HttpProbe;
import dev.orloj.server.rest.HttpProbe.Answer;
import dev.orloj.server.rest.RestServer;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;

@Timeout(60)
class ApprovalEndpointTest {

    private final RestServer server = RestServer.shared();
    private final HttpProbe http = server.probe();
    private final ObjectNode definition =
            Json.MAPPER.createObjectNode().put("name", "log").put("description", "New.");
    private final String digest = CanonicalJson.digest(definition);
    private String path = "";

    @BeforeEach
    void serverWithAHeldDefinition() {
        String namespace = server.freshNamespace();
        String servers = "/apis/orloj.dev/v1/namespaces/" + namespace + "/mcpservers";
        path = servers + "/srv/approval";
        Answer created =
                http.post(
                        servers,
                        """
                        {"metadata": {"name": "srv"}, "spec": {"transport": "stdio",
                         "command": "x", "tool_policy": {"on_change": "quarantine"}}}\
                        """);
        assertThat(created.code()).isEqualTo(201);
        server.approvals()
                .hold(
                        new ResourceKey(namespace, "srv"),
                        List.of(
                                new HeldDefinition(
                                        DefinitionName.tool("log"),
                                        digest,
                                        definition,
                                        PolicyAction.QUARANTINE,
                                        "changed: text",
                                        true)));
    }

    @Test
    void heldDefinitionsAreListed() {
        JsonNode held = read(http.get(path)).at("/held/0");
        assertThat(held.path("tool").asString()).isEqualTo("log");
        assertThat(held.path("digest").asString()).isEqualTo(digest);
        assertThat(held.path("action").asString()).isEqualTo("quarantine");
        assertThat(held.path("reason").asString()).isEqualTo("changed: text");
        assertThat(held.path("servedAsBefore").asBoolean()).isTrue();
        assertThat(held.path("since").asString()).endsWith("Z");
        assertThat(held.path("definition")).isEqualTo(definition);
        assertThat(http.get(path.replace("srv", "other")).code()).isEqualTo(404);
    }

    @Test
    void approvalIsRecordedAndMarksTheServer() {
        assertThat(read(decide("Approved", digest)).path("held")).isEmpty();
        JsonNode document = read(http.get(path.replace("/approval", "")));
        assertThat(document.at("/metadata/annotations/orloj.dev~1toolsReviewedAt").asString())
                .isNotEmpty();
        assertThat(document.at("/metadata/generation").asInt()).isEqualTo(1);
        JsonNode entries = read(http.get(path.replace("/approval", "/ledger"))).path("entries");
        assertThat(entries.findValuesAsString("operation")).containsExactly("Held", "Approved");
    }

    @Test
    void decisionAboutWhatIsNotOfferedIsAConflictAndChangesNothing() {
        Answer answer = decide("Approved", "sha256:" + "0".repeat(64));
        assertThat(answer.code()).isEqualTo(409);
        assertThat(answer.text()).contains("decide again");
        assertThat(read(http.get(path)).path("held")).hasSize(1);
        assertThat(read(http.get(path.replace("/approval", ""))).at("/metadata/annotations"))
                .isEmpty();
    }

    @Test
    void malformedDecisionsAreRefusedWithTheirPlace() {
        assertThat(http.post(path, "{}").text()).contains("decisions: give 1 to 1000");
        assertThat(decide("Maybe", digest).text())
                .contains("decisions[0].decision: Approved or Rejected, not \\\"Maybe\\\"");
        assertThat(decide("Approved", "sha256:1").text()).contains("decisions[0]: give the name");
    }

    private Answer decide(String decision, String of) {
        return http.post(
                path,
                """
                {"decisions": [{"tool": "log", "digest": "%s", "decision": "%s"}]}\
                """
                        .formatted(of, decision));
    }

    private static JsonNode read(Answer answer) {
        assertThat(answer.code()).as(answer.text()).isEqualTo(200);
        return Json.MAPPER.readTree(answer.text());
    }
}
