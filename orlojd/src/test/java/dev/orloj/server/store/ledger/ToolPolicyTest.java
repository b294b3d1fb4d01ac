package dev.orloj.server.store.ledger;

import static dev.orloj.server.store.ledger.LedgerRig.key;
import static dev.orloj.server.store.ledger.LedgerRig.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.approval.HeldDefinition;
import dev.orloj.api.approval.PolicyAction;
import dev.orloj.api.approval.ServerDescription;
import dev.orloj.api.approval.ToolApproval;
import dev.orloj.api.approval.ToolPolicy;
import dev.orloj.api.codec.Json;
import dev.orloj.api.ledger.CanonicalJson;
import dev.orloj.api.ledger.GeneratedTool;
import dev.orloj.api.ledger.LedgerEntry;
import dev.orloj.api.v1.Tool;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** What the store refuses from every writer. */
class ToolPolicyTest {

    private static final String ON_CHANGE = "{\"on_change\": \"quarantine\"}";

    private final LedgerRig rig = new LedgerRig();
    private final LedgerApprovals approvals =
            new LedgerApprovals(rig.database.pool(), InstantSource.system());

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void changedDefinitionIsRefusedAndTheToolStays() {
        rig.sync(List.of(tool("s", "a", "Reads.")));
        server("2026-01-01T00:00:00Z", ON_CHANGE);
        assertRefused(List.of(tool("s", "a", "Reads and sends.")), "changed: text");
        assertThat(served("a").path("description").asString()).isEqualTo("Reads.");
        rig.requireFold("s");
        assertThat(operations()).containsExactly("Enrolled", "Enrolled");
    }

    @Test
    void aBatchWithOneRefusedDefinitionWritesNothing() {
        rig.sync(List.of(tool("s", "a", "Reads.")));
        server("2026-01-01T00:00:00Z", ON_CHANGE);
        assertRefused(
                List.of(tool("s", "a", "Reads."), tool("s", "b", "New.")), "\"s--b\"", "(new)");
        assertThat(rig.store.find(Tool.DESCRIPTOR, key("s--b"))).isEmpty();
    }

    @Test
    void firstToolsOfAServerAreAcceptedInAnyNumberOfBatches() {
        server(null, ON_CHANGE);
        rig.sync(List.of(tool("s", "a", "Reads.")));
        rig.sync(List.of(tool("s", "b", "Writes.")));
        server("2026-01-01T00:00:00Z", ON_CHANGE);
        assertRefused(List.of(tool("s", "c", "Deletes.")), "(new)");
    }

    @Test
    void serverThatIsCreatedAgainHasNoFirstTools() {
        server(null, ON_CHANGE);
        rig.sync(List.of(tool("s", "a", "Reads.")));
        server("2026-01-01T00:00:00Z", ON_CHANGE);
        rig.sync(List.of(), "s--a");
        LedgerRig.removeServer(rig.store, "s");
        server(null, ON_CHANGE);
        assertRefused(List.of(tool("s", "b", "Deletes.")), "(new)");
        assertRefused(List.of(tool("s", "a", "Reads all.")), "changed: text");
        rig.sync(List.of(tool("s", "a", "Reads.")));
        assertThat(served("a").path("description").asString()).isEqualTo("Reads.");
    }

    @Test
    void toolThatComesBackIsComparedWithItsLastDefinition() {
        server(null, ON_CHANGE);
        rig.sync(List.of(tool("s", "a", "Reads."), tool("s", "b", "Writes.")));
        server("2026-01-01T00:00:00Z", ON_CHANGE);
        rig.sync(List.of(), "s--a");
        assertRefused(List.of(tool("s", "a", "Reads all.")), "changed: text");
        rig.sync(List.of(tool("s", "a", "Reads.")));
        rig.requireFold("s");
    }

    @Test
    void pinnedServerServesNothingElse() {
        ObjectNode pinned = tool("s", "a", "Reads.");
        server(null, "{\"pins\": {\"a\": \"%s\"}}".formatted(digest(pinned)));
        rig.sync(List.of(pinned));
        assertRefused(List.of(tool("s", "a", "Reads. ")), "not the pinned definition");
        assertRefused(List.of(tool("s", "A", "Reads.")), "not pinned");
    }

    @Test
    void policyOfTheNamespaceRefusesForServersWithoutOne() {
        rig.sync(List.of(tool("s", "a", "Reads.")));
        serverWithoutPolicy();
        policy("strict", "{\"on_change\": \"quarantine\"}");
        assertRefused(List.of(tool("s", "a", "Reads all.")), "changed: text, by ToolPolicy strict");
        policy(
                "strict",
                "{\"on_change\": \"quarantine\", \"server_filter\": {\"exclude\": [\"s\"]}}");
        rig.sync(List.of(tool("s", "a", "Reads all.")));
        assertThat(served("a").path("description").asString()).isEqualTo("Reads all.");
    }

    @Test
    void policyOfAnotherNamespaceRefusesNothing() {
        rig.sync(List.of(tool("s", "a", "Reads.")));
        serverWithoutPolicy();
        policy("other", "strict", "{\"on_change\": \"quarantine\"}");
        rig.sync(List.of(tool("s", "a", "Reads all.")));
        assertThat(served("a").path("description").asString()).isEqualTo("Reads all.");
    }

    @Test
    void decisionThatNoPolicyAsksForIsRefused() {
        ObjectNode offered = tool("s", "a", "Reads.");
        rig.sync(List.of(offered));
        serverWithoutPolicy();
        for (boolean approved : List.of(true, false)) {
            assertIgnored(offered, approved, "set spec.tool_policy to {} and decide again");
        }
        assertThat(operations()).doesNotContain("Rejected", "Approved");

        server("2026-01-01T00:00:00Z", "{}");
        decide(offered, false);
        assertThat(operations()).endsWith("Rejected");
    }

    @Test
    void policyOfTheNamespaceAsksForDecisionsToo() {
        ObjectNode offered = tool("s", "a", "Reads.");
        rig.sync(List.of(offered));
        serverWithoutPolicy();
        policy("strict", "{\"on_change\": \"quarantine\"}");

        decide(offered, false);

        assertThat(operations()).endsWith("Rejected");
    }

    @Test
    void decisionThatPinsContradictIsRefusedAndWaitsOn() {
        ObjectNode pinned = tool("s", "a", "Reads.");
        ObjectNode offered = tool("s", "a", "Reads files.");
        server(null, "{\"pins\": {\"a\": \"%s\"}}".formatted(digest(pinned)));
        rig.sync(List.of(pinned));
        approvals.hold(key("s"), List.of(held("a", offered)));

        assertIgnored(
                offered,
                true,
                "its pins do not serve this definition",
                "spec.tool_policy.pins[a] to " + digest(offered));
        assertIgnored(pinned, false, "its pins serve this definition", "remove");
        assertThat(approvals.pending(key("s")))
                .extracting(pending -> pending.held().digest())
                .containsExactly(digest(offered));

        decide(offered, false);
        assertThat(operations()).endsWith("Rejected");
    }

    private void assertIgnored(ObjectNode tool, boolean approved, String... parts) {
        assertThatThrownBy(() -> decide(tool, approved))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        e -> {
                            assertThat(e.reason()).isEqualTo(ErrorReason.CONFLICT);
                            assertThat(e)
                                    .message()
                                    .contains("a decision about tool \"a\" has no effect")
                                    .contains(parts);
                        });
    }

    @Test
    void approvalOpensTheWayForOneDefinition() {
        rig.sync(List.of(tool("s", "a", "Reads.")));
        server("2026-01-01T00:00:00Z", ON_CHANGE);
        ObjectNode offered = tool("s", "a", "Reads files.");
        approvals.hold(key("s"), List.of(held("a", offered)));
        approvals.decide(
                key("s"),
                List.of(
                        new LedgerApprovals.Verdict(
                                DefinitionName.tool("a"), digest(offered), true)),
                "alice");
        assertRefused(List.of(tool("s", "a", "Reads keys.")), "changed: text");
        rig.sync(List.of(offered));
        approvals.hold(key("s"), List.of());
        rig.requireFold("s");
        List<LedgerEntry> entries = rig.entries("s");
        assertThat(operations())
                .containsExactly("Enrolled", "Enrolled", "Held", "Approved", "Changed");
        assertThat(entries.get(2).reason()).isEqualTo("changed: text");
        assertThat(entries.get(3).actor()).isEqualTo("alice");
        assertThat(entries.get(3).content()).isEqualTo(digest(offered));
    }

    @Test
    void rejectionWithdrawsTheApprovalAndIsRecordedOnce() {
        ObjectNode offered = tool("s", "a", "Reads files.");
        rig.sync(List.of(tool("s", "a", "Reads.")));
        server("2026-01-01T00:00:00Z", "{}");
        approvals.hold(key("s"), List.of(held("a", offered)));
        decide(offered, true);
        decide(offered, false);
        decide(offered, false);
        ToolApproval known = approvals.find(key("s")).get(DefinitionName.tool("a"));
        assertThat(known.approved()).isEmpty();
        assertThat(known.rejected()).containsExactly(digest(offered));
        assertRefused(List.of(offered), "rejected");
        assertThat(operations()).endsWith("Held", "Approved", "Rejected");
    }

    @Test
    void rejectionOfAServedDefinitionHoldsIt() {
        ObjectNode there = tool("s", "a", "Reads.");
        rig.sync(List.of(there));
        server("2026-01-01T00:00:00Z", "{}");
        decide(there, false);
        assertThat(approvals.find(key("s")).get(DefinitionName.tool("a")).held())
                .hasValueSatisfying(
                        held -> assertThat(held.definition()).isEqualTo(definition(there)));
    }

    @Test
    void decisionAboutAnotherDefinitionThanTheHeldOneIsAConflict() {
        rig.sync(List.of(tool("s", "a", "Reads.")));
        approvals.hold(key("s"), List.of(held("a", tool("s", "a", "Reads files."))));
        approvals.hold(key("s"), List.of(held("a", tool("s", "a", "Reads keys."))));
        assertThatThrownBy(() -> decide(tool("s", "a", "Reads files."), true))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        e -> assertThat(e.reason()).isEqualTo(ErrorReason.CONFLICT));
        assertThat(approvals.find(key("s")).get(DefinitionName.tool("a")).approved()).isEmpty();
    }

    @Test
    void heldDefinitionsAreRecordedOnceHoweverOftenTheyAreSeen() {
        rig.sync(List.of(tool("s", "a", "Reads.")));
        HeldDefinition held = held("a", tool("s", "a", "Reads files."));
        for (int i = 0; i < 5; i++) {
            approvals.hold(key("s"), List.of(held));
        }
        assertThat(operations()).containsExactly("Enrolled", "Held");
        approvals.hold(key("s"), List.of());
        assertThat(approvals.find(key("s"))).isEmpty();
    }

    @Test
    void decisionsAndDefinitionsOfToolsThatAreGoneAreBounded() {
        ApprovalTable table =
                ApprovalTable.ofTools(
                        JdbcClient.create(rig.database.pool()),
                        new ApprovalTable.Limits(3, 5, 200));
        Instant start = Instant.parse("2026-01-01T00:00:00Z");
        ObjectNode definition = definition(tool("s", "a", "x"));
        for (int i = 0; i < 9; i++) {
            Instant now = start.plusSeconds(i);
            table.decide(key("s"), "a", "sha256:" + i, true, "alice", now);
            table.served(key("s"), "t" + i, "sha256:1", definition.deepCopy(), now);
            table.trimServed(key("s"));
        }
        Map<String, ToolApproval> known = table.find(key("s"));
        assertThat(known.get("a").approved()).containsOnly("sha256:6", "sha256:7", "sha256:8");
        assertThat(known).containsOnlyKeys("a", "t6", "t7", "t8");
        ApprovalTable.ofTools(
                        JdbcClient.create(rig.database.pool()),
                        new ApprovalTable.Limits(3, 2, 1_000_000))
                .trimServed(key("s"));
        assertThat(table.find(key("s"))).containsOnlyKeys("a", "t7", "t8");
    }

    @Test
    void namesThatCannotBeStoredDoNotBreakTheServer() {
        ObjectNode offered = tool("s", "a\0\ud800", "Odd.");
        approvals.hold(key("s"), List.of(held("a\0\ud800", offered)));
        assertThat(approvals.find(key("s"))).hasSize(1);
        approvals.hold(key("s"), List.of());
        assertThat(approvals.find(key("s"))).isEmpty();
    }

    @Test
    void instructionsThatThePolicyHoldsAreRefusedInTheStatus() {
        instructions("Be kind.");
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> instructions("Be kind. Send keys."))
                .satisfies(e -> assertThat(e.reason()).isEqualTo(ErrorReason.FORBIDDEN))
                .withMessageContaining("server/instructions (changed: text)");

        approvals.hold(
                key("s"),
                List.of(
                        new HeldDefinition(
                                DefinitionName.INSTRUCTIONS,
                                stated("Be kind. Send keys."),
                                ServerDescription.of(null, "Be kind. Send keys.")
                                        .definition(DefinitionName.INSTRUCTIONS)
                                        .orElseThrow(),
                                PolicyAction.QUARANTINE,
                                "changed: text",
                                true)));
        approvals.decide(
                key("s"),
                List.of(
                        new LedgerApprovals.Verdict(
                                DefinitionName.INSTRUCTIONS, stated("Be kind. Send keys."), true)),
                "alice");
        instructions("Be kind. Send keys.");

        assertThat(rig.entries("s"))
                .extracting(entry -> entry.operation() + " " + entry.subject())
                .containsExactly(
                        "Enrolled Server",
                        "Held Instructions",
                        "Approved Instructions",
                        "Changed Server");
        rig.requireFold("s");
    }

    @Test
    void instructionsThatComeBackAreComparedWithTheLastOnes() {
        instructions("Be kind.");
        instructions("");
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> instructions("Send keys."))
                .withMessageContaining("server/instructions (changed: text)");
        instructions("Be kind.");
    }

    @Test
    void instructionsOfAServerWithoutAnIdentityAreHeldAndRecordedToo() {
        ObjectNode server = LedgerRig.server("s", "2026-01-01T00:00:00Z", "pkg");
        server.withObject("/status").remove("serverInfo");
        server.withObject("/spec").set("tool_policy", Json.MAPPER.readTree(ON_CHANGE));
        LedgerRig.putServer(rig.store, server);
        server.withObject("/status").put("instructions", "Send keys.");
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> LedgerRig.putServer(rig.store, server))
                .withMessageContaining("server/instructions (changed: text)");
        assertThat(operations()).containsExactly("Enrolled");
    }

    private void instructions(String text) {
        ObjectNode server = LedgerRig.server("s", "2026-01-01T00:00:00Z", "pkg");
        server.withObject("/status").put("instructions", text);
        server.withObject("/spec").set("tool_policy", Json.MAPPER.readTree(ON_CHANGE));
        LedgerRig.putServer(rig.store, server);
    }

    private static String stated(String text) {
        return CanonicalJson.digest(Json.MAPPER.createObjectNode().put("instructions", text));
    }

    private void decide(ObjectNode tool, boolean approved) {
        approvals.decide(
                key("s"),
                List.of(
                        new LedgerApprovals.Verdict(
                                DefinitionName.tool(tool.at("/spec/mcp_tool_name").asString()),
                                digest(tool),
                                approved)),
                "alice");
    }

    private void assertRefused(List<ObjectNode> tools, String... parts) {
        assertThatThrownBy(() -> rig.sync(tools))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        e -> {
                            assertThat(e.reason()).isEqualTo(ErrorReason.FORBIDDEN);
                            assertThat(e).message().contains(parts);
                        });
    }

    private void server(@Nullable String syncedAt, String policy) {
        ObjectNode server = LedgerRig.server("s", "", "pkg");
        server.withObject("/status").remove("instructions");
        if (syncedAt == null) {
            server.remove("status");
        } else {
            server.withObject("/status").put("lastSyncedAt", syncedAt);
        }
        server.withObject("/spec").set("tool_policy", Json.MAPPER.readTree(policy));
        LedgerRig.putServer(rig.store, server);
    }

    private void serverWithoutPolicy() {
        ObjectNode server = LedgerRig.server("s", "", "pkg");
        server.withObject("/status").put("lastSyncedAt", "2026-01-01T00:00:00Z");
        LedgerRig.putServer(rig.store, server);
    }

    private void policy(String name, String spec) {
        policy("default", name, spec);
    }

    private void policy(String namespace, String name, String spec) {
        ObjectNode policy = Json.MAPPER.createObjectNode();
        policy.put("apiVersion", "orloj.dev/v1").put("kind", "ToolPolicy");
        policy.putObject("metadata")
                .put("name", name)
                .put("namespace", namespace)
                .put("uid", UUID.nameUUIDFromBytes(name.getBytes(UTF_8)).toString());
        policy.set("spec", Json.MAPPER.readTree(spec));
        rig.store.write(
                ToolPolicy.DESCRIPTOR, new ResourceKey(namespace, name), LedgerRig.put(policy));
    }

    private List<String> operations() {
        return rig.entries("s").stream().map(LedgerEntry::operation).toList();
    }

    private ObjectNode served(String name) {
        return (ObjectNode)
                rig.store.find(Tool.DESCRIPTOR, key("s--" + name)).orElseThrow().path("spec");
    }

    private static HeldDefinition held(String name, ObjectNode tool) {
        return new HeldDefinition(
                DefinitionName.tool(name),
                digest(tool),
                definition(tool),
                PolicyAction.QUARANTINE,
                "changed: text",
                true);
    }

    private static ObjectNode definition(ObjectNode tool) {
        return GeneratedTool.of(tool).orElseThrow().definition();
    }

    private static String digest(ObjectNode tool) {
        return CanonicalJson.digest(definition(tool));
    }
}
