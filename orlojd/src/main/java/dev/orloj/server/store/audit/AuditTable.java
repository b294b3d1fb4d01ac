package dev.orloj.server.store.audit;

import dev.orloj.api.audit.AuditCheckpoint;
import dev.orloj.api.audit.AuditRecord;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

import javax.sql.DataSource;

/** Stores the log: one chain for all replicas of a database. Thread-safe. */
public final class AuditTable {

    /** So many at a time, so that a deletion does not hold up writers for long. */
    static final int MAX_DELETED = 50_000;

    private static final String HEAD = "SELECT sequence, hash, start FROM audit_head";

    /** The row is the lock of all that add to the chain. */
    private static final String LOCKED_HEAD = HEAD + " FOR UPDATE";

    private static final String ADD =
            """
            INSERT INTO audit_event (sequence, previous_hash, hash, event)
            SELECT * FROM unnest(:sequences::bigint[], :previous::text[], :hashes::text[], :events::text[])
            """;

    private static final String MOVE = "UPDATE audit_head SET sequence = ?, hash = ?";

    private static final String FROM =
            "SELECT sequence, previous_hash, hash, event FROM audit_event WHERE sequence > ?"
                    + " ORDER BY sequence LIMIT ?";

    private static final String DUE =
            """
            SELECT sequence, previous_hash, hash, event FROM
            (SELECT * FROM audit_event ORDER BY sequence LIMIT ?) oldest
             WHERE written_at < ? OR sequence <= ?
             ORDER BY sequence DESC LIMIT 1
            """;

    private static final String START = "UPDATE audit_head SET start = ?";
    private static final String DELETE = "DELETE FROM audit_event WHERE sequence <= ?";

    private final JdbcClient jdbc;
    private final TransactionTemplate writing;
    private final TransactionTemplate reading;

    public AuditTable(DataSource dataSource) {
        this.jdbc = JdbcClient.create(dataSource);
        JdbcTransactionManager transactions = new JdbcTransactionManager(dataSource);
        this.writing = new TransactionTemplate(transactions);
        this.reading = new TransactionTemplate(transactions);
        reading.setReadOnly(true);
        reading.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
    }

    /**
     * The end of the chain.
     *
     * @param start the checkpoint that stands for the rows that were deleted
     */
    public record Head(long sequence, String hash, Optional<AuditCheckpoint> start) {}

    /** A part of the log, and the head at the same moment. */
    public record Page(Head head, List<AuditRecord> records) {}

    /** Adds events to the chain; returns its head before and after. */
    public Added append(List<String> events) {
        return Objects.requireNonNull(writing.execute(_ -> append(jdbc, events)));
    }

    /** Adds events to the chain in the transaction of the caller. */
    public static Added append(JdbcClient jdbc, List<String> events) {
        Head before = jdbc.sql(LOCKED_HEAD).query((row, _) -> readHead(row)).single();
        List<AuditRecord> records = chain(before, events);
        insert(jdbc, records);
        AuditRecord last = records.getLast();
        jdbc.sql(MOVE).param(last.sequence()).param(last.hash()).update();
        return new Added(before, new Head(last.sequence(), last.hash(), before.start()));
    }

    /** What an addition did. */
    public record Added(Head before, Head after) {}

    private static List<AuditRecord> chain(Head head, List<String> events) {
        List<AuditRecord> records = new ArrayList<>(events.size());
        long sequence = head.sequence();
        String hash = head.hash();
        for (String event : events) {
            AuditRecord next = AuditRecord.after(sequence, hash, event);
            records.add(next);
            sequence = next.sequence();
            hash = next.hash();
        }
        return records;
    }

    private static void insert(JdbcClient jdbc, List<AuditRecord> records) {
        jdbc.sql(ADD)
                .param(
                        "sequences",
                        records.stream().map(AuditRecord::sequence).toArray(Long[]::new))
                .param("previous", texts(records, AuditRecord::previousHash))
                .param("hashes", texts(records, AuditRecord::hash))
                .param("events", texts(records, AuditRecord::event))
                .update();
    }

    private static String[] texts(List<AuditRecord> records, Function<AuditRecord, String> text) {
        return records.stream().map(text).toArray(String[]::new);
    }

    public Head head() {
        return head(jdbc);
    }

    /** Returns the head as the transaction of the caller sees it. */
    public static Head head(JdbcClient jdbc) {
        return jdbc.sql(HEAD).query((row, _) -> readHead(row)).single();
    }

    /** Returns records in their order, with the head at the same moment. */
    public Page after(long sequence, int limit) {
        return Objects.requireNonNull(
                reading.execute(
                        _ ->
                                new Page(
                                        head(),
                                        jdbc.sql(FROM)
                                                .param(sequence)
                                                .param(limit)
                                                .query((row, _) -> readRecord(row))
                                                .list())));
    }

    /** Returns events, the newest first, as texts by their sequences. */
    public List<Listed> list(AuditSelection selection) {
        JdbcClient.StatementSpec query = jdbc.sql(selection.sql());
        for (Object parameter : selection.parameters()) {
            query = query.param(parameter);
        }
        return query.query((row, _) -> new Listed(row.getLong("sequence"), row.getString("event")))
                .list();
    }

    /** One event of a list. */
    public record Listed(long sequence, String event) {}

    /**
     * Deletes the oldest rows, and keeps a checkpoint instead of them.
     *
     * @param writtenBefore which are too old
     * @param kept how many may stay
     * @param signature signs the checkpoint
     * @return whether there may be more to delete
     */
    public boolean sweep(
            Instant writtenBefore, long kept, Function<AuditRecord, AuditCheckpoint> signature) {
        return Boolean.TRUE.equals(
                writing.execute(
                        _ -> {
                            Head head =
                                    jdbc.sql(LOCKED_HEAD).query((row, _) -> readHead(row)).single();
                            Optional<AuditRecord> last =
                                    jdbc.sql(DUE)
                                            .param(MAX_DELETED)
                                            .param(Timestamp.from(writtenBefore))
                                            .param(head.sequence() - kept)
                                            .query((row, _) -> readRecord(row))
                                            .optional();
                            if (last.isEmpty()) {
                                return false;
                            }
                            AuditCheckpoint start = signature.apply(last.get());
                            jdbc.sql(START).param(start.toJson().toString()).update();
                            return jdbc.sql(DELETE).param(start.sequence()).update() >= MAX_DELETED;
                        }));
    }

    private static Head readHead(ResultSet row) throws SQLException {
        return new Head(
                row.getLong("sequence"),
                row.getString("hash"),
                Optional.ofNullable(row.getString("start")).flatMap(AuditCheckpoint::parse));
    }

    private static AuditRecord readRecord(ResultSet row) throws SQLException {
        return new AuditRecord(
                row.getLong("sequence"),
                row.getString("previous_hash"),
                row.getString("hash"),
                row.getString("event"));
    }
}
