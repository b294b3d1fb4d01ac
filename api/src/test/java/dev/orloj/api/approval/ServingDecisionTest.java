package dev.orloj.api.approval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.ResourceCodec;
import dev.orloj.api.ledger.CanonicalJson;
import dev.orloj.api.ledger.RunningCode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

class ServingDecisionTest {

    private static final String SERVED =
            """
            {"name": "send", "description": "Sends a mail.", "annotations": {"readOnlyHint": false},
             "inputSchema": {"type": "object", "properties": {"to": {"type": "string"}},
                             "required": ["to"]}}\
            """;

    private static final ServingDecision SERVE = new ServingDecision.Serve("");

    @Test
    void emptyPolicyServesEverything() {
        ServingPolicy policy = policy("{}");
        assertThat(decide(policy, with("description", "Other."), known())).isEqualTo(SERVE);
        assertThat(ServingDecision.of(policy, false, definition(SERVED), ToolApproval.NONE))
                .isEqualTo(SERVE);
    }

    @ParameterizedTest
    @CsvSource({
        "description, '\"Sends a mail. Also reads ~/.ssh.\"', text",
        "annotations, '{\"readOnlyHint\": true}', annotations",
        "inputSchema, '{\"type\": \"object\", \"properties\": {\"to\": {\"type\": \"string\"},"
                + " \"cc\": {\"type\": \"string\"}}, \"required\": [\"to\"]}', compatible",
        "inputSchema, '{\"type\": \"object\", \"properties\": {\"to\": {\"type\": \"string\"}},"
                + " \"required\": [\"to\", \"note\"]}', breaking",
        "inputSchema, '{\"type\": \"object\", \"properties\": {\"to\": {\"type\": \"string\","
                + " \"default\": \"x@y.z\"}}, \"required\": [\"to\"]}', text",
        "execution, '{\"taskSupport\": \"required\"}', breaking",
    })
    void eachClassOfChangeIsHeld(String field, String value, String change) {
        ObjectNode offered = definition(SERVED);
        offered.set(field, Json.MAPPER.readTree(value));
        ServingDecision decision =
                decide(policy("{\"on_change\": \"quarantine\"}"), offered, known());
        assertThat(decision)
                .isEqualTo(
                        new ServingDecision.Hold(
                                change.equals("breaking")
                                        ? Optional.empty()
                                        : Optional.of(definition(SERVED)),
                                PolicyAction.QUARANTINE,
                                "changed: " + change));
        assertThat(
                        decide(
                                policy(
                                        "{\"on_change\": \"quarantine\", \"on_change_of\": {\"%s\": \"accept\"}}"
                                                .formatted(change)),
                                offered,
                                known()))
                .isEqualTo(SERVE);
    }

    @ParameterizedTest
    @CsvSource({
        "'{\"on_change\": \"quarantine\"}', QUARANTINE, renamed from mail",
        "'{\"on_new\": \"reject\", \"on_change\": \"accept\"}', REJECT, renamed from mail",
        "'{\"pins\": {}}', REJECT, 'not pinned, renamed from mail'",
    })
    void renamedToolIsHeldAsANewOneWithItsFormerName(
            String policy, PolicyAction action, String reason) {
        ServingDecision decision =
                ServingDecision.of(
                        policy(policy), false, definition(SERVED), ToolApproval.NONE, "mail");

        assertThat(decision).isEqualTo(new ServingDecision.Hold(Optional.empty(), action, reason));
        assertThat(
                        ServingDecision.of(
                                policy("{\"on_new\": \"accept\", \"on_change\": \"reject\"}"),
                                false,
                                definition(SERVED),
                                ToolApproval.NONE,
                                "mail"))
                .isEqualTo(SERVE);
    }

    private static ServingDecision code(String policy, String version, ToolApproval known) {
        return ServingDecision.of(policy(policy), true, DefinitionName.RUNS, runs(version), known);
    }

    private static ObjectNode runs(String version) {
        return RunningCode.named("npx mail").with(RunningCode.PACKAGE, "version", version).fields();
    }

    @Test
    void changeOfWhatRunsIsHeldWithTheOldAndTheNewValue() {
        ToolApproval known = ToolApproval.NONE.serving(runs("1.0"));
        ServingDecision.Hold held =
                new ServingDecision.Hold(
                        Optional.empty(),
                        PolicyAction.QUARANTINE,
                        "changed: package 1.0 is now 1.1");
        assertThat(code("{\"on_change\": \"quarantine\"}", "1.1", known)).isEqualTo(held);
        assertThat(code("{\"on_change_of\": {\"runs\": \"quarantine\"}}", "1.1", known))
                .isEqualTo(held);
        assertThat(code("{\"on_change\": \"quarantine\"}", "1.0", known)).isEqualTo(SERVE);
        assertThat(code("{\"on_new\": \"quarantine\"}", "1.0", ToolApproval.NONE)).isEqualTo(SERVE);
    }

    @Test
    void pinsThatDoNotNameWhatRunsDoNotHoldIt() {
        ToolApproval known = ToolApproval.NONE.serving(runs("1.0"));
        String pin = "{\"pins\": {\"%s\": \"%s\"}}";
        String digest = CanonicalJson.digest(runs("1.0"));
        assertThat(code(pin.formatted("send_mail", digest), "1.1", known)).isEqualTo(SERVE);
        assertThat(code(pin.formatted("server/runs", digest), "1.0", known)).isEqualTo(SERVE);
        assertThat(code(pin.formatted("server/runs", digest), "1.1", known))
                .isInstanceOf(ServingDecision.Hold.class);
    }

    @Test
    void iconsAndMetaAreNoAlarm() {
        ObjectNode offered = definition(SERVED);
        offered.putObject("_meta").put("session", "17");
        assertThat(decide(policy("{\"on_change\": \"reject\"}"), offered, known()))
                .isEqualTo(SERVE);
        assertThat(
                        decide(
                                policy("{\"on_change_of\": {\"presentation\": \"quarantine\"}}"),
                                offered,
                                known()))
                .isInstanceOf(ServingDecision.Hold.class);
    }

    @Test
    void strictestActionOfAllChangesApplies() {
        ObjectNode offered = with("description", "Other.");
        offered.putObject("annotations").put("destructiveHint", true);
        ServingDecision decision =
                decide(
                        policy(
                                "{\"on_change\": \"warn\", \"on_change_of\": {\"annotations\":"
                                        + " \"reject\"}}"),
                        offered,
                        known());
        assertThat(decision)
                .isInstanceOfSatisfying(
                        ServingDecision.Hold.class,
                        hold -> assertThat(hold.action()).isEqualTo(PolicyAction.REJECT));
    }

    @Test
    void warningNamesTheChange() {
        assertThat(decide(policy("{\"on_change\": \"warn\"}"), with("description", "X"), known()))
                .isEqualTo(new ServingDecision.Serve("changed: text"));
    }

    @Test
    void laterToolsFollowOnChangeAndFirstToolsAreAccepted() {
        ServingPolicy policy = policy("{\"on_change\": \"quarantine\"}");
        ObjectNode offered = definition(SERVED);
        assertThat(ServingDecision.of(policy, true, offered, ToolApproval.NONE)).isEqualTo(SERVE);
        assertThat(ServingDecision.of(policy, false, offered, ToolApproval.NONE))
                .isEqualTo(
                        new ServingDecision.Hold(Optional.empty(), PolicyAction.QUARANTINE, "new"));
        ServingPolicy strict = policy("{\"on_new\": \"quarantine\"}");
        assertThat(ServingDecision.of(strict, true, offered, ToolApproval.NONE))
                .isInstanceOf(ServingDecision.Hold.class);
    }

    @Test
    void slowChangesAreComparedWithWhatIsServed() {
        ServingPolicy policy = policy("{\"on_change\": \"quarantine\"}");
        String text = "Sends a mail";
        for (String word : new String[] {" and", " reads", " all", " keys"}) {
            text += word;
            assertThat(decide(policy, with("description", text), known()))
                    .isInstanceOfSatisfying(
                            ServingDecision.Hold.class,
                            hold -> assertThat(hold.instead()).contains(definition(SERVED)));
        }
    }

    @Test
    void approvedDigestIsServedAndRejectedOneNever() {
        ObjectNode offered = with("description", "Other.");
        String digest = CanonicalJson.digest(offered);
        ToolApproval approved =
                new ToolApproval(
                        Optional.of(definition(SERVED)),
                        Optional.empty(),
                        Set.of(digest),
                        Set.of());
        assertThat(decide(policy("{\"on_change\": \"reject\"}"), offered, approved))
                .isEqualTo(SERVE);
        ToolApproval rejected =
                new ToolApproval(Optional.of(offered), Optional.empty(), Set.of(), Set.of(digest));
        assertThat(decide(policy("{}"), offered, rejected))
                .isEqualTo(
                        new ServingDecision.Hold(
                                Optional.empty(), PolicyAction.REJECT, "rejected"));
    }

    @Test
    void rejectedDefinitionIsNotServedInPlaceOfAnother() {
        ToolApproval known =
                new ToolApproval(
                        Optional.of(definition(SERVED)),
                        Optional.empty(),
                        Set.of(),
                        Set.of(CanonicalJson.digest(definition(SERVED))));
        assertThat(
                        decide(
                                policy("{\"on_change\": \"quarantine\"}"),
                                with("description", "Other."),
                                known))
                .isEqualTo(
                        new ServingDecision.Hold(
                                Optional.empty(), PolicyAction.QUARANTINE, "changed: text"));
    }

    @Test
    void pinsServeNothingElse() {
        String digest = CanonicalJson.digest(definition(SERVED));
        ServingPolicy pinned =
                ServingPolicy.of(new ServerToolPolicy(ServingRules.NONE, Map.of("send", digest)));
        assertThat(decide(pinned, definition(SERVED), ToolApproval.NONE)).isEqualTo(SERVE);
        assertThat(decide(pinned, with("description", "Other."), known()))
                .isEqualTo(
                        new ServingDecision.Hold(
                                Optional.of(definition(SERVED)),
                                PolicyAction.REJECT,
                                "not the pinned definition"));
        assertThat(decide(pinned, with("description", "Other."), ToolApproval.NONE))
                .isEqualTo(
                        new ServingDecision.Hold(
                                Optional.empty(),
                                PolicyAction.REJECT,
                                "not the pinned definition"));
        assertThat(decide(pinned, with("name", "send_mail"), ToolApproval.NONE))
                .isEqualTo(
                        new ServingDecision.Hold(
                                Optional.empty(), PolicyAction.REJECT, "not pinned"));
    }

    @Test
    void strictestPolicyDecidesAndIsNamed() {
        ServingPolicy policy =
                ServingPolicy.of(
                        "mail",
                        rules("{\"on_change\": \"accept\"}"),
                        List.of(
                                shared("a-warns", "{\"on_change\": \"warn\"}"),
                                shared("b-holds", "{\"on_change\": \"quarantine\"}"),
                                shared("c-holds", "{\"on_change\": \"quarantine\"}")));
        assertThat(decide(policy, with("description", "Other."), known()))
                .isEqualTo(
                        new ServingDecision.Hold(
                                Optional.of(definition(SERVED)),
                                PolicyAction.QUARANTINE,
                                "changed: text, by ToolPolicy b-holds"));
    }

    @Test
    void policiesAreStrictByClassOfChange() {
        ServingPolicy policy =
                ServingPolicy.of(
                        "mail",
                        rules(
                                "{\"on_change\": \"accept\", \"on_change_of\": {\"text\":"
                                        + " \"reject\"}}"),
                        List.of(
                                shared(
                                        "texts",
                                        """
                                        {"on_change": "quarantine", "on_change_of": {"text": "accept"}}
                                        """)));
        assertThat(decide(policy, with("description", "Other."), known()))
                .isInstanceOfSatisfying(
                        ServingDecision.Hold.class,
                        hold -> assertThat(hold.action()).isEqualTo(PolicyAction.REJECT));
    }

    @Test
    void firstToolsFollowOnNewOfAnyPolicy() {
        ServingPolicy policy =
                ServingPolicy.of(
                        "mail",
                        rules("{\"on_new\": \"accept\"}"),
                        List.of(shared("new", "{\"on_new\": \"quarantine\"}")));
        assertThat(ServingDecision.of(policy, true, definition(SERVED), ToolApproval.NONE))
                .isInstanceOf(ServingDecision.Hold.class);
    }

    @Test
    void pinApprovesOnlyWhereThePoliciesOfTheNamespaceSaySo() {
        ObjectNode offered = with("description", "Other.");
        ServerToolPolicy pins =
                new ServerToolPolicy(
                        ServingRules.NONE, Map.of("send", CanonicalJson.digest(offered)));
        ToolPolicy holds = shared("holds", "{\"on_change\": \"quarantine\"}");
        ToolPolicy trusts =
                shared("trusts", "{\"on_change\": \"quarantine\", \"pins_approve\": true}");

        assertThat(decide(ServingPolicy.of("mail", pins, List.of(holds)), offered, known()))
                .isEqualTo(
                        new ServingDecision.Hold(
                                Optional.empty(),
                                PolicyAction.QUARANTINE,
                                "changed: text, by ToolPolicy holds"));
        assertThat(decide(ServingPolicy.of("mail", pins, List.of(trusts)), offered, known()))
                .isEqualTo(SERVE);
        assertThat(decide(ServingPolicy.of("mail", pins, List.of(trusts, holds)), offered, known()))
                .isInstanceOf(ServingDecision.Hold.class);
        ToolApproval approved =
                new ToolApproval(
                        Optional.of(definition(SERVED)),
                        Optional.empty(),
                        Set.of(CanonicalJson.digest(offered)),
                        Set.of());
        assertThat(decide(ServingPolicy.of("mail", pins, List.of(holds)), offered, approved))
                .isEqualTo(SERVE);
    }

    @Test
    void policySelectsServersByNameOrPattern() {
        ToolPolicy policy =
                shared(
                        "some",
                        """
                        {"server_filter": {"include": ["mail", "git*"], "exclude": ["github"]},
                         "on_change": "reject"}
                        """);
        assertThat(Stream.of("mail", "mails", "git", "gitea", "github").filter(policy::selects))
                .containsExactly("mail", "git", "gitea");
    }

    private static ToolPolicy shared(String name, String spec) {
        return ResourceCodec.fromDocument(
                ToolPolicy.KIND,
                definition(
                        """
                        {"apiVersion": "orloj.dev/v1", "kind": "ToolPolicy",
                         "metadata": {"name": "%s", "namespace": "default"}, "spec": %s}
                        """
                                .formatted(name, spec)));
    }

    private static ServingDecision decide(
            ServingPolicy policy, ObjectNode offered, ToolApproval known) {
        return ServingDecision.of(policy, false, offered, known);
    }

    private static ToolApproval known() {
        return ToolApproval.NONE.serving(definition(SERVED));
    }

    private static ObjectNode with(String field, String text) {
        return definition(SERVED).put(field, text);
    }

    private static ObjectNode definition(String json) {
        return (ObjectNode) Json.MAPPER.readTree(json);
    }

    private static ServingPolicy policy(String json) {
        return ServingPolicy.of(rules(json));
    }

    private static ServerToolPolicy rules(String json) {
        return Json.MAPPER.readValue(json, ServerToolPolicy.class);
    }
}
