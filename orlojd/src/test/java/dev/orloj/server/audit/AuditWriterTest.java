package dev.orloj.server.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ApiException;
import dev.orloj.api.audit.AuditCheckpoint;
import dev.orloj.api.audit.AuditRecord;
import dev.orloj.api.audit.AuditVerification;
import dev.orloj.server.authorization.UserInfo;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.properties.AuditProperties.FailurePolicy;
import dev.orloj.server.store.audit.AuditTable;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import javax.crypto.spec.SecretKeySpec;
import javax.sql.DataSource;

@Timeout(120)
@DisplayName("19, item 8: the writer of the audit log keeps one chain, and counts what it lacks")
class AuditWriterTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int CAPACITY = 5;

    private final TestPostgres.Database database = TestPostgres.freshDatabase();
    private final JdbcClient jdbc = JdbcClient.create(database.direct());
    private final AuditTable table = new AuditTable(database.pool());
    private final CheckpointKey key = new CheckpointKey(new SecretKeySpec(new byte[32], "Generic"));
    private final AtomicLong nanos = new AtomicLong();
    private final List<AuditWriter> writers = new ArrayList<>();
    private AuditQueue queue;

    @BeforeEach
    void start() {
        queue = new AuditQueue(CAPACITY, nanos::get);
    }

    @AfterEach
    void stop() throws Exception {
        for (AuditWriter writer : writers) {
            writer.close();
        }
        database.close();
    }

    private AuditWriter writer(AuditQueue of, Duration maxAge, long maxEvents) {
        AuditWriter writer =
                new AuditWriter(
                        of,
                        table,
                        new AuditEvents("box"),
                        new AuditWriter.Retention(maxAge, maxEvents, key),
                        InstantSource.system());
        writers.add(writer);
        writer.start();
        return writer;
    }

    private AuditWriter writer(AuditQueue of) {
        return writer(of, Duration.ofDays(1), 1_000_000);
    }

    private static AuditEntry entry(String uri, int code) {
        return new AuditEntry(
                new AuditEntry.Received(
                        Instant.EPOCH, 0, "DELETE", uri, null, "127.0.0.1", null, null),
                UserInfo.ANONYMOUS,
                Optional.empty(),
                Optional.empty(),
                code,
                "",
                "",
                "",
                1000);
    }

    private void add(int number) {
        queue.add(entry("/api/v1/namespaces/n" + number, 200), false);
    }

    private List<AuditRecord> records() {
        return table.after(0, 100_000).records();
    }

    private AuditCheckpoint sign(AuditRecord last) {
        return key.sign(last.sequence(), last.hash(), Instant.EPOCH);
    }

    private void awaitRecords(int number) {
        await().atMost(TIMEOUT).until(() -> records().size() == number);
    }

    private List<String> problems() {
        AuditVerification verification = new AuditVerification(Optional.empty());
        AuditTable.Page page = table.after(0, 100_000);
        page.head().start().ifPresent(verification::begin);
        page.records().forEach(verification::take);
        verification.end(key.sign(page.head().sequence(), page.head().hash(), Instant.EPOCH));
        return verification.problems();
    }

    @Test
    void eventsAreChained() {
        writer(queue);
        add(1);
        add(2);
        awaitRecords(2);
        add(3);
        awaitRecords(3);

        assertThat(problems()).isEmpty();
        assertThat(records().getFirst().event())
                .contains("\"verb\":\"delete\"", "\"name\":\"n1\"", "system:anonymous");
        await().until(() -> queue.waiting() == 0);
    }

    /** H of item 8: several replicas have one chain. */
    @Test
    void twoReplicasShareOneChain() {
        AuditQueue other = new AuditQueue(1000, nanos::get);
        AuditQueue own = new AuditQueue(1000, nanos::get);
        writer(own);
        writer(other);
        for (int i = 0; i < 400; i++) {
            own.add(entry("/api/v1/namespaces/own", 200), false);
            other.add(entry("/api/v1/namespaces/other", 200), false);
        }
        awaitRecords(800);

        assertThat(problems()).isEmpty();
    }

    @Test
    void databaseRefusesToChangeRows() {
        writer(queue);
        add(1);
        awaitRecords(1);

        assertThatThrownBy(() -> jdbc.sql("UPDATE audit_event SET event = '{}'").update())
                .hasMessageContaining("never changed");
        assertThatThrownBy(() -> jdbc.sql("TRUNCATE audit_event").update())
                .hasMessageContaining("never changed");
    }

    @Test
    void rowsThatWereChangedOrRemovedAreFound() {
        writer(queue);
        add(1);
        add(2);
        add(3);
        awaitRecords(3);
        jdbc.sql("ALTER TABLE audit_event DISABLE TRIGGER USER").update();

        jdbc.sql("UPDATE audit_event SET event = replace(event, 'n2', 'n9') WHERE sequence = 2")
                .update();
        assertThat(problems()).containsExactly("event 2 was changed");

        jdbc.sql("DELETE FROM audit_event WHERE sequence = 2").update();
        assertThat(problems()).containsExactly("event 2 is missing");

        jdbc.sql("DELETE FROM audit_event").update();
        assertThat(problems()).singleElement().asString().startsWith("the log ends with event 0");
    }

    @Test
    void eventsThatDoNotFitLeaveAGapInTheChain() {
        for (int i = 1; i <= CAPACITY + 3; i++) {
            add(i);
        }
        assertThat(queue.droppedEver()).isEqualTo(3);

        writer(queue);
        awaitRecords(CAPACITY + 1);

        assertThat(records().getLast().event())
                .contains("\"verb\":\"drop\"", "\"orloj.dev/dropped-events\":\"3\"");
        assertThat(problems()).isEmpty();
    }

    /** A flood of clients without a credential displaces no events of others. */
    @Test
    void refusalsHaveABudget() {
        AuditQueue large = new AuditQueue(1000, nanos::get);
        for (int i = 0; i < 500; i++) {
            large.add(entry("/api/v1/secrets", 401), false);
        }
        assertThat(large.waiting()).isEqualTo(AuditQueue.REFUSALS_PER_SECOND);

        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        large.add(entry("/api/v1/secrets", 401), false);
        assertThat(large.waiting()).isEqualTo(AuditQueue.REFUSALS_PER_SECOND + 1);
        assertThat(large.droppedEver()).isEqualTo(400);
    }

    /** What cannot be written waits, and is written in the same order as soon as it can. */
    @Test
    void gapOfALongOutageIsOneEvent() {
        AtomicInteger attempts = new AtomicInteger();
        DataSource counted =
                new DelegatingDataSource(database.pool()) {
                    @Override
                    public Connection getConnection() throws SQLException {
                        attempts.incrementAndGet();
                        return super.getConnection();
                    }
                };
        jdbc.sql("ALTER TABLE audit_head RENAME TO away").update();
        AuditWriter writer =
                new AuditWriter(
                        queue,
                        new AuditTable(counted),
                        new AuditEvents("box"),
                        new AuditWriter.Retention(Duration.ofDays(1), 1_000, key),
                        InstantSource.system());
        writers.add(writer);
        writer.start();
        add(1);
        await().atMost(TIMEOUT).until(() -> !queue.isWritable());
        for (int i = 2; i <= CAPACITY; i++) {
            add(i);
        }

        for (int i = 0; i < 3; i++) {
            add(9);
            int before = attempts.get();
            await().atMost(TIMEOUT).until(() -> attempts.get() >= before + 2);
        }
        jdbc.sql("ALTER TABLE away RENAME TO audit_head").update();
        awaitRecords(CAPACITY + 1);

        assertThat(records())
                .filteredOn(record -> record.event().contains("\"verb\":\"drop\""))
                .singleElement()
                .extracting(AuditRecord::event, STRING)
                .contains("\"orloj.dev/dropped-events\":\"3\"");
        assertThat(problems()).isEmpty();
    }

    @Test
    void eventsWaitForTheDatabase() {
        jdbc.sql("ALTER TABLE audit_head RENAME TO away").update();
        writer(queue);
        add(1);
        await().atMost(TIMEOUT).until(() -> !queue.isWritable());
        AuditLog ignoring = new AuditLog(queue, FailurePolicy.IGNORE, InstantSource.system());
        AuditLog failing = new AuditLog(queue, FailurePolicy.FAIL, InstantSource.system());

        assertThat(ignoring.reserve()).isFalse();
        assertThatThrownBy(failing::reserve)
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("--audit-failure-policy")
                .hasMessageContaining("nothing was done");
        assertThat(queue.refusedEver()).isEqualTo(1);

        add(2);
        jdbc.sql("ALTER TABLE away RENAME TO audit_head").update();
        awaitRecords(2);
        await().atMost(TIMEOUT).until(() -> queue.isWritable());
        assertThat(failing.reserve()).isTrue();
        assertThat(problems()).isEmpty();
    }

    @Test
    void failPolicyRefusesWhenTheQueueIsFull() {
        AuditLog failing = new AuditLog(queue, FailurePolicy.FAIL, InstantSource.system());
        for (int i = 0; i < CAPACITY; i++) {
            assertThat(failing.reserve()).isTrue();
        }

        assertThatThrownBy(failing::reserve).isInstanceOf(ApiException.class);
        assertThat(queue.droppedEver()).isZero();
    }

    @Test
    void oldestEventsMakeRoomAndTheRestVerifies() {
        AuditWriter first = writer(queue, Duration.ofDays(1), 1_000_000);
        for (int i = 1; i <= CAPACITY; i++) {
            add(i);
        }
        awaitRecords(CAPACITY);
        assertThat(first).isNotNull();

        assertThat(table.sweep(Instant.EPOCH, 2, this::sign)).isFalse();

        assertThat(records()).extracting(AuditRecord::sequence).containsExactly(4L, 5L);
        assertThat(problems()).isEmpty();

        assertThat(table.sweep(Instant.now().plusSeconds(60), 2, this::sign)).isFalse();
        assertThat(records()).isEmpty();
        assertThat(problems()).isEmpty();

        add(6);
        awaitRecords(1);
        assertThat(records().getFirst().sequence()).isEqualTo(6);
        assertThat(problems()).isEmpty();
    }

    @Test
    void olderStateThatIsRestoredWhileReplicasRunIsRecorded() {
        writer(queue);
        add(1);
        add(2);
        awaitRecords(2);
        AuditRecord first = records().getFirst();

        jdbc.sql("DELETE FROM audit_event WHERE sequence = 2").update();
        jdbc.sql("UPDATE audit_head SET sequence = 1, hash = ?").param(first.hash()).update();
        add(3);
        awaitRecords(2);
        add(4);
        awaitRecords(4);

        assertThat(records()).anyMatch(record -> record.event().contains("\"rollback\""));
    }

    @Test
    void eventsThatWaitAreWrittenBeforeTheEnd() throws Exception {
        AuditWriter writer = writer(queue);
        add(1);
        add(2);
        writer.close();

        assertThat(records()).hasSize(2);
    }
}
