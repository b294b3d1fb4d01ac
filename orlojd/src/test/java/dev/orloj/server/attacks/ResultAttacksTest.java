package dev.orloj.server.attacks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.stream.Stream;

/** Each result of the table as that of three servers, with no, a lenient and a strict policy. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class ResultAttacksTest {

    private static final List<String> POLICIES = List.of("off", "strip", "block");
    private static final String NOTE = "/_meta/orloj.dev~1result-policy";
    private static final String TEXT = "/content/0/text";

    private final AttackServers servers = new AttackServers();
    private AttackedOrlojd orlojd;

    static Stream<ResultAttack> attacks() {
        return ResultAttack.all().stream();
    }

    static Stream<ResultAttack> foundAttacks() {
        return attacks().filter(attack -> attack.kind().isPresent());
    }

    static Stream<ResultAttack> passingAttacks() {
        return attacks().filter(attack -> attack.kind().isEmpty());
    }

    @BeforeAll
    void start() {
        orlojd = new AttackedOrlojd(servers);
        orlojd.createNamespace("results");
        for (ResultAttack attack : ResultAttack.all()) {
            ObjectNode offer = AttackServers.tools(AttackServers.tool("read", "Reads."));
            offer.set("result", attack.result());
            for (String policy : POLICIES) {
                orlojd.create(attack.server(policy), offer, "result_policy: '" + policy + "'");
            }
        }
    }

    @AfterAll
    void stop() {
        orlojd.close();
        servers.close();
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void passesUnchangedWithoutAPolicy(ResultAttack attack) {
        assertThat(call(attack, "off")).isEqualTo(attack.result());
    }

    @ParameterizedTest
    @MethodSource("passingAttacks")
    void passesUnchangedWhereThePageSaysThatNothingFindsIt(ResultAttack attack) {
        assertThat(call(attack, "strip")).isEqualTo(attack.result());
        assertThat(call(attack, "block")).isEqualTo(attack.result());
    }

    @ParameterizedTest
    @MethodSource("foundAttacks")
    void isStrippedOrBlockedWhereThePageNamesItsKind(ResultAttack attack) {
        JsonNode stripped = call(attack, "strip");
        assertThat(stripped.at(TEXT).asString()).isEqualTo(attack.stripped());
        assertNote(stripped, "stripped", attack);

        JsonNode blocked = call(attack, "block");
        assertThat(blocked.at(TEXT).asString()).doesNotContain(attack.text(), attack.stripped());
        assertThat(blocked.path("isError").asBoolean()).isTrue();
        assertNote(blocked, "blocked", attack);
    }

    private static void assertNote(JsonNode result, String action, ResultAttack attack) {
        assertThat(result.at(NOTE + "/action").asString()).isEqualTo(action);
        assertThat(result.at(NOTE + "/findings").valueStream().map(f -> f.path("kind").asString()))
                .containsExactly(attack.kind().orElseThrow());
    }

    private JsonNode call(ResultAttack attack, String policy) {
        String server = attack.server(policy);
        orlojd.awaitReady(server);
        return orlojd.client()
                .call(
                        AttackedOrlojd.namespace(server),
                        AttackedOrlojd.name(server) + "--read",
                        "{}")
                .expect(200)
                .body();
    }
}
