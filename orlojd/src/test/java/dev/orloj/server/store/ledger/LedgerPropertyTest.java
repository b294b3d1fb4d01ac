package dev.orloj.server.store.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ApiException;
import dev.orloj.server.store.ledger.RandomLedgerWrites.Replica;
import dev.orloj.server.store.ledger.RandomLedgerWrites.Write;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The Tools are the fold of the ledger, whatever is written, whenever a replica stops, and whatever
 * another one writes meanwhile. {@code -Dledger.seed=N} repeats a run, {@code -Dledger.steps=N}
 * makes it longer.
 */
@DisplayName("Issue 21, bar: fold(ledger) equals the Tools")
class LedgerPropertyTest {

    private static final int STEPS = Integer.getInteger("ledger.steps", 120);

    /** More than any of the transactions has. */
    private static final int MAX_STATEMENTS = 20;

    private final long seed = Long.getLong("ledger.seed", new Random().nextLong(1_000_000));
    private final Random random = new Random(seed);
    private final LedgerRig rig = new LedgerRig();
    private final FailingDataSource failing = new FailingDataSource(rig.database.pool());
    private final LedgerApprovals approvals =
            new LedgerApprovals(rig.database.pool(), InstantSource.system());
    private final RandomLedgerWrites writes = new RandomLedgerWrites(random, rig, approvals);
    private final List<String> log = new ArrayList<>();

    /** Its statements can be interrupted. */
    private Replica first;

    private Replica second;

    @BeforeEach
    void start() {
        first = firstReplica();
        second = new Replica(rig.open(rig.database.pool()), approvals);
        log.add("-Dledger.seed=%d -Dledger.steps=%d".formatted(seed, STEPS));
    }

    @AfterEach
    void close() {
        first.store().close();
        second.store().close();
        rig.close();
    }

    private Replica firstReplica() {
        return new Replica(
                rig.open(failing.dataSource()),
                new LedgerApprovals(failing.dataSource(), InstantSource.system()));
    }

    @Test
    void foldIsTheToolsAfterAnySequenceOfWritesAndCrashes() throws Exception {
        System.out.println("LedgerPropertyTest: " + log.getFirst());
        for (int step = 0; step < STEPS; step++) {
            switch (random.nextInt(4)) {
                case 0 -> crash(writes.next(), 1 + random.nextInt(MAX_STATEMENTS));
                case 1, 2 ->
                        both(
                                writes.next(),
                                writes.next(),
                                1 + random.nextInt(MAX_STATEMENTS),
                                random.nextInt(3) == 0);
                default -> run(writes.next(), second);
            }
            requireFold();
        }
        assertThat(rig.words("s")).as("%s", log.getFirst()).hasSizeGreaterThan(STEPS / 10);
    }

    /** A write of a replica that stops before one of its statements, and starts again. */
    private void crash(Write write, int statement) {
        log.add("crash at statement %d of %s".formatted(statement, write));
        String before = everything();
        failing.failAt(statement);
        boolean wasRefused = refused(write, first);
        if (failing.hasFailed()) {
            failing.never();
            first.store().close();
            first = firstReplica();
            boolean isOneTransaction = !write.text().startsWith("server ");
            if (isOneTransaction && !wasRefused) {
                assertThat(everything()).as("%s", log).isEqualTo(before);
            }
        }
        failing.never();
    }

    /** A write of the first replica that goes on, or stops, after a write of the second. */
    private void both(Write one, Write other, int statement, boolean stops) throws Exception {
        log.add(
                "at statement %d of %s%s, meanwhile %s"
                        .formatted(statement, one, stops ? ", which stops there" : "", other));
        new Interleaving(rig, failing)
                .run(statement, stops, () -> refused(one, first), () -> run(other, second));
    }

    private void run(Write write, Replica replica) {
        log.add(write.text());
        try {
            write.action().run(replica);
        } catch (ApiException e) {
            log.add("refused: " + e.getMessage()); // by a policy, or a decision too late
        }
    }

    /** Returns whether the write was refused; not if it was interrupted. */
    private boolean refused(Write write, Replica replica) {
        try {
            write.action().run(replica);
            return false;
        } catch (ApiException e) {
            return true;
        } catch (RuntimeException e) {
            assertThat(e).hasStackTraceContaining(FailingDataSource.MESSAGE);
            return false;
        }
    }

    private void requireFold() {
        try {
            RandomLedgerWrites.SERVERS.forEach(rig::requireFold);
            requireEntriesOfHeld();
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + "\nafter\n" + String.join("\n", log), e);
        }
    }

    /** What is held has an entry that says so, or one of a decision. */
    private void requireEntriesOfHeld() {
        List<String> held =
                rig.database
                        .jdbc()
                        .sql(
                                "SELECT server || ' ' || digest FROM tool_approval a WHERE state <>"
                                    + " 'Served' AND NOT EXISTS (SELECT 1 FROM tool_ledger_entry e"
                                    + " WHERE e.namespace = a.namespace AND e.server = a.server AND"
                                    + " e.content = a.digest)")
                        .query(String.class)
                        .list();
        held.addAll(
                rig.database
                        .jdbc()
                        .sql(
                                "SELECT server || ' ' || name FROM definition_approval a WHERE"
                                        + " state <> 'Served' AND NOT EXISTS (SELECT 1 FROM"
                                        + " tool_ledger_entry e WHERE e.namespace = a.namespace AND"
                                        + " e.server = a.server AND e.content = a.digest)")
                        .query(String.class)
                        .list());
        assertThat(held).isEmpty();
    }

    private String everything() {
        return rig.database
                .jdbc()
                .sql(
                        """
                        SELECT concat(
                          (SELECT string_agg(r::text, ' ' ORDER BY kind, namespace, name) FROM resource r),
                          (SELECT string_agg(l::text, ' ' ORDER BY namespace, server) FROM tool_ledger l),
                          (SELECT string_agg(e::text, ' ' ORDER BY namespace, server, sequence) FROM tool_ledger_entry e),
                          (SELECT string_agg(a::text, ' ' ORDER BY namespace, server, tool, state, digest) FROM tool_approval a),
                          (SELECT string_agg(d::text, ' ' ORDER BY namespace, server, name, state, digest) FROM definition_approval d),
                          (SELECT string_agg(s::text, ' ' ORDER BY namespace, server, name) FROM served_definition s))
                        """)
                .query(String.class)
                .single();
    }
}
