package dev.orloj.server.store;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.core.Secret;
import dev.orloj.server.store.change.ChangeRetention;
import dev.orloj.server.store.ledger.LedgerWrite;
import dev.orloj.server.store.ledger.ToolLedger;
import dev.orloj.server.store.table.DatabaseFailure;
import dev.orloj.server.store.table.DocumentCodec;
import dev.orloj.server.store.table.DocumentEquality;
import dev.orloj.server.store.table.ResourceTable;
import dev.orloj.server.store.table.StoredDocument;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import tools.jackson.databind.node.ObjectNode;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.function.IntFunction;
import java.util.function.Supplier;

import javax.sql.DataSource;

/**
 * Read-modify-write. First without a lock: reads, decides, and writes in one statement, shared with
 * other writers, that does nothing if another writer was faster. A writer that loses repeatedly
 * locks the row. Safe for use by many threads.
 */
final class ResourceWriter {

    private static final Logger log = LoggerFactory.getLogger(ResourceWriter.class);
    private static final int ATTEMPTS_WITHOUT_LOCK = 4;
    private static final int ATTEMPTS = 20;

    /** SQLSTATE of a row for which no partition exists. */
    private static final String CHECK_VIOLATION = "23514";

    /** The outcome of a mutation. */
    private sealed interface Plan {

        record Nothing(ObjectNode answer) implements Plan {}

        record Change(ResourceTable.RowWrite write, LedgerWrite states, ObjectNode document)
                implements Plan {}
    }

    private final ResourceTable table;
    private final DocumentCodec codec;
    private final ChangeRetention retention;
    private final ToolLedger ledger;
    private final TransactionTemplate transactions;
    private final CommitListener listener;
    private volatile @Nullable String refused;
    private final Map<KindDescriptor.Shard, CommitQueue> queues =
            new EnumMap<>(KindDescriptor.Shard.class);

    /**
     * Receives the newest revision of each commit, so that this replica does not wait for the
     * announcement.
     */
    @FunctionalInterface
    interface CommitListener {
        void committed(KindDescriptor.Shard shard, long revision);
    }

    ResourceWriter(
            DataSource dataSource,
            ResourceTable table,
            DocumentCodec codec,
            ChangeRetention retention,
            ToolLedger ledger,
            CommitListener listener) {
        this.table = table;
        this.codec = codec;
        this.retention = retention;
        this.ledger = ledger;
        this.transactions = new TransactionTemplate(new JdbcTransactionManager(dataSource));
        this.listener = listener;
        for (KindDescriptor.Shard shard : KindDescriptor.Shard.values()) {
            queues.put(shard, new CommitQueue(writes -> commit(shard, writes)));
        }
    }

    /** In a transaction of its own. */
    private List<OptionalLong> commit(
            KindDescriptor.Shard shard, List<ResourceTable.RowWrite> writes) {
        try {
            List<OptionalLong> revisions = table.write(shard, writes);
            if (refused != null) {
                refused = null;
                log.atInfo().log("The database takes writes again");
            }
            publish(shard, revisions);
            return revisions;
        } catch (DataAccessException e) {
            DatabaseFailure.of(e).filter(DatabaseFailure::isOfWrites).ifPresent(this::noteRefusal);
            throw e;
        }
    }

    private void noteRefusal(DatabaseFailure failure) {
        if (refused == null) {
            log.atWarn().addKeyValue("error", failure.message()).log("Nothing can be written");
        }
        refused = failure.message();
    }

    /** Why the last write to the database failed; empty when it succeeded. */
    Optional<String> trouble() {
        return Optional.ofNullable(refused);
    }

    private void publish(KindDescriptor.Shard shard, List<OptionalLong> revisions) {
        revisions.stream()
                .flatMapToLong(OptionalLong::stream)
                .max()
                .ifPresent(newest -> listener.committed(shard, newest));
    }

    ObjectNode write(KindDescriptor<?> kind, ResourceKey key, Mutation mutation) {
        return untilWon(
                kind,
                key.toString(),
                attempt ->
                        attempt < ATTEMPTS_WITHOUT_LOCK
                                ? writeIfUnchanged(kind, key, mutation)
                                : inTransaction(() -> writeLocked(kind, key, mutation)));
    }

    private Optional<ObjectNode> writeIfUnchanged(
            KindDescriptor<?> kind, ResourceKey key, Mutation mutation) {
        return switch (plan(kind, key, table.find(kind, key), mutation)) {
            case Plan.Nothing(ObjectNode answer) -> Optional.of(answer);
            case Plan.Change change ->
                    ledger.concerns(kind, change.states())
                            ? inTransaction(() -> writeLocked(kind, key, mutation))
                            : versioned(
                                    change.document(),
                                    Objects.requireNonNull(queues.get(kind.shard()))
                                            .write(change.write()));
        };
    }

    private Optional<ObjectNode> writeLocked(
            KindDescriptor<?> kind, ResourceKey key, Mutation mutation) {
        return switch (plan(kind, key, table.lock(kind, key), mutation)) {
            case Plan.Nothing(ObjectNode answer) -> Optional.of(answer);
            case Plan.Change change -> {
                ledger.append(kind, List.of(change.states()));
                List<OptionalLong> revisions = table.write(kind.shard(), List.of(change.write()));
                requireWritten(kind, key, revisions);
                publish(kind.shard(), revisions);
                yield versioned(change.document(), revisions.getFirst());
            }
        };
    }

    private static Optional<ObjectNode> versioned(ObjectNode document, OptionalLong revision) {
        if (revision.isEmpty()) {
            return Optional.empty();
        }
        DocumentCodec.setVersion(document, revision.getAsLong());
        return Optional.of(document);
    }

    void writeAll(KindDescriptor<?> kind, SortedMap<ResourceKey, Mutation> mutations) {
        if (!mutations.isEmpty()) {
            List<OptionalLong> revisions =
                    untilWon(
                            kind,
                            mutations.firstKey().toString(),
                            _ -> inTransaction(() -> writeAllLocked(kind, mutations)));
            publish(kind.shard(), revisions);
        }
    }

    private Optional<List<OptionalLong>> writeAllLocked(
            KindDescriptor<?> kind, SortedMap<ResourceKey, Mutation> mutations) {
        Map<ResourceKey, ResourceTable.Row> current = new HashMap<>();
        table.lockAll(kind, mutations.keySet()).forEach(row -> current.put(row.key(), row));
        List<ResourceTable.RowWrite> writes = new ArrayList<>();
        List<LedgerWrite> states = new ArrayList<>();
        mutations.forEach(
                (key, mutation) -> {
                    Optional<ResourceTable.Row> row = Optional.ofNullable(current.get(key));
                    if (plan(kind, key, row, mutation) instanceof Plan.Change change) {
                        writes.add(change.write());
                        states.add(change.states());
                    }
                });
        if (writes.isEmpty()) {
            return Optional.of(List.of());
        }
        ledger.append(kind, states);
        List<OptionalLong> revisions = table.write(kind.shard(), writes);
        requireWritten(kind, mutations.firstKey(), revisions);
        return Optional.of(revisions);
    }

    /** Existing rows are locked, so another writer was faster with a creation: all or nothing. */
    private static void requireWritten(
            KindDescriptor<?> kind, ResourceKey first, List<OptionalLong> revisions) {
        if (revisions.stream().anyMatch(OptionalLong::isEmpty)) {
            throw new OptimisticLockingFailureException(
                    "%s %s: created by another".formatted(kind.kind(), first));
        }
    }

    private Plan plan(
            KindDescriptor<?> kind,
            ResourceKey key,
            Optional<ResourceTable.Row> row,
            Mutation mutation) {
        Optional<ObjectNode> current =
                row.map(r -> codec.fromRow(kind, key, r.version(), r.json()));
        long version = row.map(ResourceTable.Row::version).orElse(0L);
        // A copy, since a mutation may work on what it is given.
        return switch (mutation.apply(current.map(ObjectNode::deepCopy))) {
            case Mutation.Outcome.Keep(ObjectNode document) -> new Plan.Nothing(document);
            case Mutation.Outcome.Remove(ObjectNode lastState) -> {
                if (row.isEmpty()) {
                    throw new IllegalStateException("Removal of %s, which is not".formatted(key));
                }
                yield DocumentCodec.isIncomplete(kind, lastState)
                        ? removal(kind, row.get(), lastState)
                        : change(kind, key, version, current, lastState, true);
            }
            case Mutation.Outcome.Put(ObjectNode document) ->
                    current.filter(c -> DocumentEquality.sameButForVersion(c, document))
                            .<Plan>map(Plan.Nothing::new)
                            .orElseGet(
                                    () -> {
                                        current.ifPresent(c -> requireComplete(kind, key, c));
                                        return change(kind, key, version, current, document, false);
                                    });
        };
    }

    /** A write would replace values that are there again as soon as their key is. */
    private static void requireComplete(
            KindDescriptor<?> kind, ResourceKey key, ObjectNode current) {
        if (DocumentCodec.isIncomplete(kind, current)) {
            throw new ApiException(
                    ErrorReason.SERVICE_UNAVAILABLE,
                    "%s \"%s\" has values that are encrypted with key \"%s\", which orlojd does not have: put the key back, or delete the Secret and create it again"
                            .formatted(
                                    kind.kind().groupResource(),
                                    key.name(),
                                    current.at("/metadata/annotations")
                                            .path(Secret.MISSING_KEY)
                                            .asString("")));
        }
    }

    private Plan removal(KindDescriptor<?> kind, ResourceTable.Row row, ObjectNode lastState) {
        return new Plan.Change(
                new ResourceTable.RowWrite(
                        ResourceTable.column(kind),
                        codec.sealedRow(row.key(), row.json()),
                        row.version(),
                        true),
                new LedgerWrite(row.key(), Optional.of(lastState), Optional.empty()),
                lastState);
    }

    private Plan change(
            KindDescriptor<?> kind,
            ResourceKey key,
            long expected,
            Optional<ObjectNode> before,
            ObjectNode document,
            boolean removal) {
        StoredDocument row = codec.toRow(kind, key, document);
        return new Plan.Change(
                new ResourceTable.RowWrite(ResourceTable.column(kind), row, expected, removal),
                new LedgerWrite(key, before, removal ? Optional.empty() : Optional.of(document)),
                document);
    }

    /** Repeats a write that lost a race, which shows in an empty result or a failed transaction. */
    private <T> T untilWon(
            KindDescriptor<?> kind, String subject, IntFunction<Optional<T>> attempt) {
        for (int number = 0; number < ATTEMPTS; number++) {
            try {
                Optional<T> won = attempt.apply(number);
                if (won.isPresent()) {
                    return won.get();
                }
            } catch (ConcurrencyFailureException e) {
                // Rolled back: a creation of the same name, or a deadlock, was resolved against us.
            } catch (DataIntegrityViolationException e) {
                if (!isMissingPartition(e)) {
                    throw e;
                }
                retention.extend(kind.shard());
            }
        }
        throw new ApiException(
                ErrorReason.CONFLICT,
                "%s \"%s\" was changed by others %d times in a row: try again"
                        .formatted(kind.kind().groupResource(), subject, ATTEMPTS));
    }

    private <T> Optional<T> inTransaction(Supplier<Optional<T>> work) {
        Optional<T> outcome = transactions.execute(_ -> work.get());
        return outcome == null ? Optional.empty() : outcome;
    }

    private static boolean isMissingPartition(DataIntegrityViolationException e) {
        return e.getMostSpecificCause() instanceof SQLException cause
                && CHECK_VIOLATION.equals(cause.getSQLState());
    }
}
