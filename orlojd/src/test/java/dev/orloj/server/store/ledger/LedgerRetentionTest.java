package dev.orloj.server.store.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ledger.LedgerEntry;
import dev.orloj.api.ledger.LedgerState;
import dev.orloj.api.ledger.LedgerVerification;
import dev.orloj.api.v1.Tool;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

@DisplayName("Issue 21, item 1: what a ledger removes, and what stays provable")
class LedgerRetentionTest {

    private static LedgerRig rig;

    @BeforeAll
    static void open() {
        rig = new LedgerRig();
    }

    @AfterAll
    static void close() {
        rig.close();
    }

    /** Appends writes of Tools, of which only the ledger is stored. */
    private static final class Writer {

        private final TransactionTemplate transactions =
                new TransactionTemplate(new JdbcTransactionManager(rig.database.pool()));
        private final Map<String, ObjectNode> tools = new TreeMap<>();
        private final ToolLedger ledger;
        private final String server;

        Writer(String server, LedgerRetention.Limits limits) {
            this.server = server;
            ledger =
                    new ToolLedger(
                            JdbcClient.create(rig.database.pool()), InstantSource.system(), limits);
        }

        void write(String tool, Optional<String> description) {
            Optional<ObjectNode> before = Optional.ofNullable(tools.get(tool));
            Optional<ObjectNode> after =
                    description.map(text -> LedgerRig.tool(server, tool, text));
            LedgerWrite write = new LedgerWrite(LedgerRig.key(server + "--" + tool), before, after);
            transactions.executeWithoutResult(_ -> ledger.append(Tool.DESCRIPTOR, List.of(write)));
            tools.remove(tool);
            after.ifPresent(document -> tools.put(tool, document));
        }
    }

    @Test
    void ledgerOfADeletedServerGoesAfterAWhile() {
        LedgerRig.putServer(rig.store, LedgerRig.server("kept", "2026-01-01T00:00:00Z"));
        LedgerRig.putServer(rig.store, LedgerRig.server("left", "2026-01-01T00:00:00Z"));
        LedgerRig.removeServer(rig.store, "left");
        Instant now = Instant.now();

        ledgerAt(now.plus(LedgerVerification.KEPT_WITHOUT_SERVER).minusSeconds(3600)).sweep();
        assertThat(rig.entries("left")).isNotEmpty();

        ledgerAt(now.plus(LedgerVerification.KEPT_WITHOUT_SERVER).plusSeconds(3600)).sweep();
        assertThat(rig.entries("left")).isEmpty();
        assertThat(contents("left")).isZero();
        assertThat(rig.entries("kept")).as("that of a server which is there").isNotEmpty();
    }

    @Test
    void ledgersAreSweptOnceAnHour() {
        AtomicReference<Instant> now =
                new AtomicReference<>(
                        Instant.now()
                                .plus(LedgerVerification.KEPT_WITHOUT_SERVER)
                                .plus(Duration.ofHours(1)));
        ToolLedger ledger = new ToolLedger(JdbcClient.create(rig.database.pool()), now::get);
        leave("first");
        ledger.sweep();
        assertThat(rig.entries("first")).isEmpty();

        leave("second");
        now.updateAndGet(time -> time.plus(Duration.ofMinutes(59)));
        ledger.sweep();
        assertThat(rig.entries("second")).isNotEmpty();

        now.updateAndGet(time -> time.plus(Duration.ofMinutes(1)));
        ledger.sweep();
        assertThat(rig.entries("second")).isEmpty();
    }

    private static void leave(String server) {
        LedgerRig.putServer(rig.store, LedgerRig.server(server, "2026-01-01T00:00:00Z"));
        LedgerRig.removeServer(rig.store, server);
        assertThat(rig.entries(server)).isNotEmpty();
    }

    private static ToolLedger ledgerAt(Instant time) {
        return new ToolLedger(JdbcClient.create(rig.database.pool()), () -> time);
    }

    @Test
    void oldEntriesGoAndTheFoldStaysProvable() {
        LedgerRetention.Limits limits = new LedgerRetention.Limits(20, 10, 1_000_000);
        Writer writer = new Writer("many", limits);
        Random random = new Random(3);
        writer.write("stays", Optional.of("since the beginning"));
        for (int i = 0; i < 200; i++) {
            String tool = "t" + random.nextInt(5);
            boolean removes = writer.tools.containsKey(tool) && random.nextInt(3) == 0;
            writer.write(tool, removes ? Optional.empty() : Optional.of("text " + i));
            LedgerState state = rig.replayed("many");
            assertThat(state.tools())
                    .hasSize(writer.tools.size())
                    .allSatisfy((_, item) -> assertThat(writer.tools).containsKey(item.tool()));
        }
        List<LedgerEntry> entries = rig.entries("many");
        assertThat(entries).hasSizeBetween(20, 50);
        assertThat(entries.getFirst().operation()).isEqualTo(LedgerEntry.SUMMARIZED);
        LedgerReading reading = new LedgerReading(rig.database.pool());
        assertThat(rig.replayed("many").tools().values())
                .allSatisfy(
                        item ->
                                assertThat(reading.content(LedgerRig.key("many"), item.content()))
                                        .isPresent());
        assertThat(contents("many")).isLessThan(80);
    }

    @Test
    void oldDefinitionsGoWhenTheyAreTooLarge() {
        LedgerRetention.Limits limits = new LedgerRetention.Limits(1_000, 1_000, 20_000);
        Writer writer = new Writer("large", limits);
        for (int i = 0; i < 100; i++) {
            writer.write("a", Optional.of(i + "x".repeat(5_000)));
        }
        assertThat(contents("large")).isLessThan(30);
        assertThat(rig.replayed("large").tools()).containsKey("large--a");
        LedgerReading reading = new LedgerReading(rig.database.pool());
        List<LedgerEntry> entries = rig.entries("large");
        assertThat(entries).hasSizeGreaterThan(100);
        LedgerEntry last = entries.getLast();
        assertThat(reading.content(LedgerRig.key("large"), last.content())).isPresent();
        assertThat(reading.content(LedgerRig.key("large"), entries.getFirst().content())).isEmpty();
    }

    private static long contents(String server) {
        return rig.database
                .jdbc()
                .sql("SELECT count(*) FROM tool_ledger_content WHERE server = ?")
                .param(server)
                .query(Long.class)
                .single();
    }
}
