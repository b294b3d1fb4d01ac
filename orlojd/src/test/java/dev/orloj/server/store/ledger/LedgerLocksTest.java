package dev.orloj.server.store.ledger;

import static dev.orloj.server.store.ledger.LedgerRig.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.approval.OfferedDefinition;
import dev.orloj.api.approval.OfferedFeatures;
import dev.orloj.api.codec.Json;
import dev.orloj.api.v1.McpServer;
import dev.orloj.server.store.PostgresStore;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import tools.jackson.databind.node.ObjectNode;

import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Writes about one server wait for each other, and never in a circle. */
class LedgerLocksTest {

    /** More than any of the writes has. */
    private static final int MAX_STATEMENTS = 12;

    private static final OfferedFeatures PROMPT =
            new OfferedFeatures(
                    List.of(
                            new OfferedDefinition(
                                    new DefinitionName(DefinitionName.Kind.PROMPT, "review"),
                                    (ObjectNode) Json.MAPPER.readTree("{\"name\": \"review\"}"))),
                    DefinitionName.FEATURES);

    private final LedgerRig rig = new LedgerRig();
    private final FailingDataSource failing = new FailingDataSource(rig.database.pool());
    private final Interleaving interleaving = new Interleaving(rig, failing);

    @AfterEach
    void close() {
        rig.close();
    }

    /** A place to pause, and the policy of the server. */
    record Case(int statement, String policy) {}

    static Stream<Case> cases() {
        return IntStream.rangeClosed(1, MAX_STATEMENTS)
                .boxed()
                .flatMap(
                        statement ->
                                Stream.of("{}", "{\"on_change\": \"quarantine\"}")
                                        .map(policy -> new Case(statement, policy)));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void removalOfAServerAndAnOfferOfItEndWhicheverPauses(Case each) throws Exception {
        LedgerApprovals pausing = new LedgerApprovals(failing.dataSource(), InstantSource.system());
        LedgerApprovals other = new LedgerApprovals(rig.database.pool(), InstantSource.system());
        PostgresStore pausingStore = rig.open(failing.dataSource());

        server(each.policy());
        interleaving.run(
                each.statement(),
                false,
                () -> pausing.offer(key("s"), PROMPT),
                () -> LedgerRig.removeServer(rig.store, "s"));
        assertThat(rig.store.find(McpServer.DESCRIPTOR, key("s"))).isEmpty();
        rig.requireFold("s");

        server(each.policy());
        interleaving.run(
                each.statement(),
                false,
                () -> LedgerRig.removeServer(pausingStore, "s"),
                () -> other.offer(key("s"), PROMPT));
        assertThat(rig.store.find(McpServer.DESCRIPTOR, key("s"))).isEmpty();
        rig.requireFold("s");
        pausingStore.close();
    }

    private void server(String policy) {
        ObjectNode server = LedgerRig.server("s", "2026-01-01T00:00:00Z");
        server.withObject("/status").remove(List.of("instructions", "serverInfo"));
        server.withObject("/spec").set("tool_policy", Json.MAPPER.readTree(policy));
        LedgerRig.putServer(rig.store, server);
    }
}
