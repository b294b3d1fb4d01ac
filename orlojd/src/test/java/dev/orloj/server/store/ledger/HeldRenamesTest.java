package dev.orloj.server.store.ledger;

import static dev.orloj.server.store.ledger.LedgerRig.key;
import static dev.orloj.server.store.ledger.LedgerRig.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.approval.HeldDefinition;
import dev.orloj.api.approval.PolicyAction;
import dev.orloj.api.approval.ToolApproval;
import dev.orloj.api.codec.Json;
import dev.orloj.api.ledger.CanonicalJson;
import dev.orloj.api.ledger.GeneratedTool;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;

import java.time.InstantSource;
import java.util.List;

/** What the ledger has of a tool that is renamed at a server whose policy holds it. */
@DisplayName("Issue 21, item 1: a rename is recognised by its content, also if it is held")
class HeldRenamesTest {

    private static final ObjectNode A = tool("s", "a", "Reads.");
    private static final ObjectNode B = tool("s", "b", "Reads.");

    private final LedgerRig rig = new LedgerRig();
    private final LedgerApprovals approvals =
            new LedgerApprovals(rig.database.pool(), InstantSource.system());

    @BeforeEach
    void serve() {
        rig.sync(List.of(A, tool("s", "other", "Writes.")));
        policy("{\"on_change\": \"quarantine\"}");
    }

    @AfterEach
    void close() {
        rig.requireFold("s");
        rig.close();
    }

    /** As a sync does that finds the tool renamed. */
    private void rename() {
        approvals.hold(key("s"), List.of(held(B, "a")));
        rig.sync(List.of(), "s--a");
    }

    /** As a review does after a decision. */
    private void serve(ObjectNode... tools) {
        approvals.hold(key("s"), List.of());
        rig.sync(List.of(tools));
    }

    private void approve() {
        approvals.decide(
                key("s"),
                List.of(new LedgerApprovals.Verdict(DefinitionName.tool("b"), digest(B), true)),
                "alice");
    }

    @Test
    void heldToolAndItsFormerOneNameEachOther() {
        rename();

        assertThat(words()).containsExactly("Held Tool b from a", "Retired Tool a");
        assertThat(rig.entries("s").getLast().reason()).isEqualTo("renamed to b");
        assertThat(approvals.find(key("s")).get(DefinitionName.tool("b")).held())
                .contains(held(B, "a"));
    }

    @Test
    void renamedToolIsOneToolInTheLedgerOnceItIsApproved() {
        rename();
        approve();
        serve(B);

        assertThat(words())
                .containsExactly(
                        "Held Tool b from a",
                        "Retired Tool a",
                        "Approved Tool b",
                        "Renamed Tool b from a");
        assertThat(rig.entries("s").getLast().formerResource()).isEqualTo("s--a");
    }

    @Test
    void renamedToolIsOneToolInTheLedgerOnceItIsPinned() {
        rename();
        policy("{\"pins\": {\"b\": \"%s\"}}".formatted(digest(B)));
        serve(B);

        assertThat(words()).endsWith("Retired Tool a", "Renamed Tool b from a");
    }

    @Test
    void toolIsNotRenamedIfItsFormerOneHasComeBack() {
        rename();
        approve();
        rig.sync(List.of(A));
        serve(B);

        assertThat(words()).endsWith("Approved Tool b", "Enrolled Tool a", "Enrolled Tool b");
    }

    @Test
    void toolIsNotRenamedIfItsFormerOneComesBackInTheSameTransaction() {
        rename();
        approve();
        serve(A, B);

        assertThat(words()).endsWith("Enrolled Tool a", "Enrolled Tool b");
    }

    @Test
    void toolThatComesBackAfterItsRenameIsNotRenamedAgain() {
        rename();
        approve();
        serve(B);
        rig.sync(List.of(), "s--b");
        rig.sync(List.of(B));

        assertThat(words()).endsWith("Renamed Tool b from a", "Retired Tool b", "Enrolled Tool b");
    }

    @Test
    void toolThatIsGoneIsNotRenamedIfWhatIsHeldHasAnotherFormerName() {
        approvals.hold(key("s"), List.of(held(B, "a")));
        rig.sync(List.of(), "s--other");

        assertThat(rig.entries("s").getLast().reason()).isEmpty();
        assertThat(words()).endsWith("Retired Tool other");
    }

    @Test
    void formerNameThatCannotBeStoredDoesNotBreakTheServer() {
        approvals.hold(key("s"), List.of(held(B, "a\0\ud800")));
        ToolApproval known = approvals.find(key("s")).get(DefinitionName.tool("b"));

        assertThat(known.held()).map(HeldDefinition::former).contains("a\ufffd\ufffd");
        assertThat(words()).containsExactly("Held Tool b");
    }

    /** What came after the first entries. */
    private List<String> words() {
        List<String> words = rig.words("s");
        return words.subList(words.indexOf("Enrolled Server") + 1, words.size());
    }

    private void policy(String policy) {
        ObjectNode server = LedgerRig.server("s", "2026-01-01T00:00:00Z", "pkg");
        server.withObject("/spec").set("tool_policy", Json.MAPPER.readTree(policy));
        LedgerRig.putServer(rig.store, server);
    }

    private static HeldDefinition held(ObjectNode tool, String former) {
        GeneratedTool offered = GeneratedTool.of(tool).orElseThrow();
        return new HeldDefinition(
                DefinitionName.tool(offered.tool()),
                CanonicalJson.digest(offered.definition()),
                offered.definition(),
                PolicyAction.QUARANTINE,
                "renamed from " + former,
                false,
                former);
    }

    private static String digest(ObjectNode tool) {
        return CanonicalJson.digest(GeneratedTool.of(tool).orElseThrow().definition());
    }
}
