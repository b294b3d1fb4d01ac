package dev.orloj.server.store;

import dev.orloj.server.store.table.ResourceTable;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Batches the writes of concurrent writers into one transaction, because the flush to disk at its
 * end costs more than all the rest, and every commit of a shard has to wait for the one before.
 * While one transaction runs the next writes gather; a single one starts at once. Safe for use by
 * many threads.
 *
 * <p>Transactions run on a thread of the queue's own: the interruption of a writer closes the
 * connection that it uses, and must not fail the writes of others.
 */
final class CommitQueue {

    private static final int MAX_WRITES = 100;

    /** Bounds the memory of a transaction, and how long a small write waits for large ones. */
    private static final int MAX_CHARACTERS = 1024 * 1024;

    private static final Comparator<Entry> BY_ROW =
            Comparator.comparing((Entry entry) -> entry.write().kind())
                    .thenComparing(entry -> entry.write().row().key());

    /** Writes rows in one transaction; see {@link ResourceTable#write}. */
    @FunctionalInterface
    interface Commit {
        List<OptionalLong> apply(List<ResourceTable.RowWrite> writes);
    }

    private record Entry(ResourceTable.RowWrite write, CompletableFuture<OptionalLong> revision) {}

    private final Commit commit;
    private final Queue<Entry> waiting = new ArrayDeque<>();
    private boolean committing;

    CommitQueue(Commit commit) {
        this.commit = commit;
    }

    /** Returns the revision of the write; empty when the row is not at the expected version. */
    OptionalLong write(ResourceTable.RowWrite write) {
        Entry entry = new Entry(write, new CompletableFuture<>());
        enter(entry);
        try {
            return entry.revision().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof DataAccessException cause ? cause : e;
        }
    }

    /** The number of writes that wait for the next transaction. */
    synchronized int waiting() {
        return waiting.size();
    }

    private synchronized void enter(Entry entry) {
        waiting.add(entry);
        if (!committing) {
            committing = true;
            Thread.ofVirtual().name("orloj-commit").start(this::commitAll);
        }
    }

    private void commitAll() {
        for (List<Entry> group = next(); !group.isEmpty(); group = next()) {
            commit(group);
        }
    }

    /** The writes of the next transaction in the order of their rows; none ends the thread. */
    private synchronized List<Entry> next() {
        List<Entry> group = new ArrayList<>();
        int characters = 0;
        while (!waiting.isEmpty() && group.size() < MAX_WRITES && characters < MAX_CHARACTERS) {
            Entry entry = waiting.remove();
            characters += entry.write().row().json().length();
            group.add(entry);
        }
        committing = !group.isEmpty();
        group.sort(BY_ROW);
        return group;
    }

    private void commit(List<Entry> group) {
        try {
            List<OptionalLong> revisions = commit.apply(group.stream().map(Entry::write).toList());
            for (int i = 0; i < group.size(); i++) {
                group.get(i).revision().complete(revisions.get(i));
            }
        } catch (DataAccessException e) {
            // One failing write must not fail the others, but without a database all do.
            if (group.size() == 1 || e instanceof DataAccessResourceFailureException) {
                group.forEach(entry -> entry.revision().completeExceptionally(e));
            } else {
                group.forEach(entry -> commit(List.of(entry)));
            }
        } catch (RuntimeException | Error e) {
            group.forEach(entry -> entry.revision().completeExceptionally(e));
        }
    }
}
