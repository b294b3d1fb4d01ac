package dev.orloj.server.attacks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.codec.Json;
import dev.orloj.api.findings.FindingSeverity;
import dev.orloj.api.ledger.CanonicalJson;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Each poisoned definition of the table as two servers of one orlojd: one without a policy, and one
 * that was trusted and changes. The first variant of each pattern is also that of a server with
 * pins, and of one whose first definitions are held. All servers are created at once, and all
 * attack at once when they open their next session, because three hundred attacks one after the
 * other take minutes.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class DefinitionAttacksTest {

    /** Served without a policy. */
    private static final String OPEN = "open";

    /** Three servers, each with a policy. */
    private static final String HELD = "held";

    private static final String CHANGED = "/changed";
    private static final String PINNED = "/pinned";
    private static final String FIRST = "/first";
    private static final String ATTACK = "/attack";

    private final AttackServers servers = new AttackServers();
    private AttackedOrlojd orlojd;

    static Stream<DefinitionAttack> attacks() {
        return DefinitionAttack.all().stream();
    }

    static Stream<DefinitionAttack> heldAttacks() {
        return attacks().filter(DefinitionAttack::isHeld);
    }

    /** One of each pattern. */
    static Stream<DefinitionAttack> heldPatterns() {
        return heldAttacks().filter(DefinitionAttack::isFirstVariant);
    }

    @BeforeAll
    void start() {
        orlojd = new AttackedOrlojd(servers);
        attacks().forEach(this::createKnown);
        heldAttacks().forEach(this::createHarmless);
        attacks().forEach(this::createOpen);
        heldAttacks().forEach(attack -> change(attack, CHANGED));
        heldPatterns().forEach(attack -> change(attack, PINNED));
    }

    private void createKnown(DefinitionAttack attack) {
        String namespace = attack.namespace(OPEN);
        orlojd.createNamespace(namespace);
        attack.known()
                .forEach(
                        (name, tools) ->
                                orlojd.create(
                                        namespace + "/" + name,
                                        AttackServers.tools(tools.toArray(JsonNode[]::new))));
    }

    private void createHarmless(DefinitionAttack attack) {
        String namespace = attack.namespace(HELD);
        orlojd.createNamespace(namespace);
        orlojd.create(namespace + CHANGED, attack.harmlessOffer(), policy(attack.quarantine()));
        if (attack.isFirstVariant()) {
            orlojd.create(namespace + PINNED, attack.harmlessOffer(), policy(pins(attack)));
            orlojd.create(namespace + FIRST, attack.offer(), policy("on_new: quarantine"));
        }
    }

    /** Its definitions are compared with those that are served in its namespace before. */
    private void createOpen(DefinitionAttack attack) {
        String namespace = attack.namespace(OPEN);
        for (String known : attack.known().keySet()) {
            AttackedOrlojd.soon()
                    .until(() -> !orlojd.servedTools(namespace + "/" + known).isEmpty());
        }
        orlojd.create(namespace + ATTACK, attack.offer());
    }

    private void change(DefinitionAttack attack, String name) {
        String server = attack.namespace(HELD) + name;
        orlojd.awaitServed(server, attack.harmlessName(), attack.harmlessDigest());
        servers.offer(server, attack.offer());
        orlojd.restart(server);
    }

    @AfterAll
    void stop() {
        orlojd.close();
        servers.close();
    }

    private static String policy(String policy) {
        return "tool_policy: {%s}".formatted(policy);
    }

    /** Of all that the server offers before the attack. */
    private static String pins(DefinitionAttack attack) {
        StringBuilder pins = new StringBuilder("pins: {");
        for (JsonNode tool : attack.harmlessOffer().path("tools")) {
            String name = DefinitionName.tool(tool.path("name").asString()).text();
            pins.append("'%s': '%s', ".formatted(name, CanonicalJson.digest(tool)));
        }
        if (!attack.field().equals("tool")) {
            pins.append("'%s': '%s', ".formatted(attack.harmlessName(), attack.harmlessDigest()));
        }
        return pins.append("}").toString().replace(", }", "}");
    }

    private Set<String> inNamespace(DefinitionAttack attack, String suffix) {
        return orlojd.listedWithoutNames(attack.namespace(suffix), attack.field());
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void isServedWithoutAPolicyAndHasTheFindingsOfTheTable(DefinitionAttack attack) {
        String server = attack.namespace(OPEN) + ATTACK;
        orlojd.awaitServed(server, attack.name(), attack.digest());
        orlojd.awaitListed(server, attack.field(), attack.digest());
        // A namespace asks a server only when its status says what it offers.
        attack.digestWithoutName()
                .ifPresent(
                        digest ->
                                AttackedOrlojd.soon()
                                        .until(() -> inNamespace(attack, OPEN).contains(digest)));
        JsonNode findings = orlojd.awaitExamined(server);
        if (attack.example().path("expect").isString()) {
            assertThat(findings.path("worst")).as(findings.toString()).isEmpty();
            return;
        }
        List<String> ids =
                findings.path("worst").valueStream().map(f -> f.path("id").asString()).toList();
        attack.example().path("expect").forEach(id -> assertThat(ids).contains(id.asString()));
        FindingSeverity least =
                FindingSeverity.valueOf(attack.example().path("atLeast").asString("LOW"));
        FindingSeverity worst =
                FindingSeverity.valueOf(
                        findings.at("/worst/0/severity").asString().toUpperCase(Locale.ROOT));
        assertThat(worst.reaches(least)).as(findings.toString()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("heldAttacks")
    void isHeldWhenATrustedServerChanges(DefinitionAttack attack) {
        requireHeld(attack, attack.namespace(HELD) + CHANGED);
    }

    @ParameterizedTest
    @MethodSource("heldPatterns")
    void isHeldWhenAPinnedServerChanges(DefinitionAttack attack) {
        requireHeld(attack, attack.namespace(HELD) + PINNED);
    }

    @ParameterizedTest
    @MethodSource("heldPatterns")
    void isHeldWhenItIsTheFirstDefinitionOfAServer(DefinitionAttack attack) {
        requireHeld(attack, attack.namespace(HELD) + FIRST);
    }

    /** No client gets it, none ever got it, and no call of it reaches the server. */
    private void requireHeld(DefinitionAttack attack, String server) {
        orlojd.awaitHeld(server, attack.name(), attack.digest());
        assertThat(orlojd.everServed(server)).doesNotContain(attack.digest());
        assertThat(orlojd.listed(server, attack.field())).doesNotContain(attack.digest());
        attack.digestWithoutName()
                .ifPresent(digest -> assertThat(inNamespace(attack, HELD)).doesNotContain(digest));
        assertThat(orlojd.servedTools(server)).doesNotContainValue(attack.digest());
        requireUseRefused(attack, server);
    }

    /** Where a tool is served as it was before, calls of it are right, and not tried here. */
    private void requireUseRefused(DefinitionAttack attack, String server) {
        ObjectNode params = Json.MAPPER.createObjectNode();
        String method;
        switch (attack.field()) {
            case "tool" -> {
                method = "tools/call";
                params.put("name", attack.name());
                if (orlojd.servedTools(server).containsKey(attack.name())) {
                    return;
                }
            }
            case "prompt" -> {
                method = "prompts/get";
                params.put("name", attack.poisoned().path("name").asString());
            }
            case "resource", "template" -> {
                method = "resources/read";
                params.put("uri", attack.poisoned().path("uri").asString("doc://1"));
            }
            default -> {
                return; // nothing of instructions can be asked for
            }
        }
        JsonNode answer = orlojd.ask(server, method, params);
        assertThat(answer.has("error")).as(answer.toString()).isTrue();
        assertThat(servers.received(server, method)).isEmpty();
    }

    @Test
    void laterChangeOfIconsIsServedUnlessThePolicyNamesIt() {
        DefinitionAttack attack =
                attacks()
                        .filter(a -> a.example().at("/tool/icons").isArray())
                        .findFirst()
                        .orElseThrow();
        orlojd.createNamespace(attack.namespace("icons"));
        String server = attack.namespace("icons") + "/icons";
        orlojd.create(server, attack.harmlessOffer(), policy("on_change: quarantine"));
        orlojd.awaitServed(server, attack.harmlessName(), attack.harmlessDigest());
        servers.offer(server, attack.offer());

        orlojd.restart(server);

        orlojd.awaitServed(server, attack.name(), attack.digest());
    }

    @Test
    void codeBehindTheSameDefinitionIsCalled() {
        List<DefinitionAttack> served = attacks().filter(attack -> !attack.isHeld()).toList();
        assertThat(served).extracting(DefinitionAttack::id).containsExactly("A81");
        DefinitionAttack attack = served.getFirst();
        orlojd.createNamespace(attack.namespace(HELD));
        for (String policy : List.of(attack.quarantine(), pins(attack))) {
            String server = attack.namespace(HELD) + "/code-" + policy.length();
            orlojd.create(server, attack.offer(), policy(policy));
            orlojd.awaitListed(server, attack.field(), attack.digest());
            ObjectNode harm = attack.offer();
            harm.set("result", Json.MAPPER.readTree("{\"content\": [], \"harm\": true}"));
            servers.offer(server, harm);
            orlojd.restart(server);
            ObjectNode call = Json.MAPPER.createObjectNode().put("name", attack.name());

            assertThat(orlojd.ask(server, "tools/call", call).at("/result/harm").asBoolean())
                    .isTrue();
            assertThat(orlojd.probe(server).held(AttackedOrlojd.name(server))).isEmpty();
        }
    }
}
