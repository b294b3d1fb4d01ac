package dev.orloj.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ResourceKey;
import dev.orloj.server.store.table.ResourceTable;
import dev.orloj.server.store.table.StoredDocument;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DataIntegrityViolationException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

class CommitQueueTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor();
    private final Queue<List<String>> commits = new ConcurrentLinkedQueue<>();
    private final Semaphore mayCommit = new Semaphore(0);

    @AfterEach
    void stop() {
        mayCommit.release(1_000);
        writers.close();
    }

    @Test
    void writesThatComeDuringACommitShareTheNext() throws Exception {
        CommitQueue queue = new CommitQueue(this::commit);
        Future<OptionalLong> first = writers.submit(() -> queue.write(write("first")));
        awaitCommitUnderWay(1);
        List<Future<OptionalLong>> others = new ArrayList<>();
        for (String name : List.of("c", "a", "b")) {
            others.add(writers.submit(() -> queue.write(write(name))));
        }
        awaitWaiting(queue, others.size());

        mayCommit.release(2);

        assertThat(first.get()).hasValue("first".length());
        for (Future<OptionalLong> other : others) {
            assertThat(other.get()).hasValue(1);
        }
        assertThat(commits).containsExactly(List.of("first"), List.of("a", "b", "c"));
    }

    @Test
    void writeThatFailsDoesNotFailTheOthers() throws Exception {
        CommitQueue queue =
                new CommitQueue(
                        writes -> {
                            List<OptionalLong> revisions = commit(writes);
                            if (names(writes).contains("bad")) {
                                throw new DataIntegrityViolationException("bad is in it");
                            }
                            return revisions;
                        });
        Future<OptionalLong> first = writers.submit(() -> queue.write(write("first")));
        awaitCommitUnderWay(1);
        Future<OptionalLong> bad = writers.submit(() -> queue.write(write("bad")));
        Future<OptionalLong> good = writers.submit(() -> queue.write(write("good")));
        awaitWaiting(queue, 2);

        mayCommit.release(4);

        assertThat(first.get()).isPresent();
        assertThat(good.get()).hasValue("good".length());
        assertThatThrownBy(bad::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(DataIntegrityViolationException.class);
    }

    @Test
    void lostDatabaseFailsEveryWriteOnce() throws Exception {
        AtomicBoolean lost = new AtomicBoolean();
        CommitQueue queue =
                new CommitQueue(
                        writes -> {
                            List<OptionalLong> revisions = commit(writes);
                            if (lost.get()) {
                                throw new DataAccessResourceFailureException("no database");
                            }
                            return revisions;
                        });
        Future<OptionalLong> first = writers.submit(() -> queue.write(write("first")));
        awaitCommitUnderWay(1);
        Future<OptionalLong> a = writers.submit(() -> queue.write(write("a")));
        Future<OptionalLong> b = writers.submit(() -> queue.write(write("b")));
        awaitWaiting(queue, 2);
        lost.set(true);
        mayCommit.release(1_000);

        for (Future<OptionalLong> write : List.of(first, a, b)) {
            assertThatThrownBy(write::get).hasCauseInstanceOf(DataAccessException.class);
        }
        assertThat(commits).hasSize(2);

        lost.set(false);
        assertThat(queue.write(write("later"))).isPresent();
    }

    @Test
    void interruptedWriterGetsItsAnswerAndFailsNoOther() throws Exception {
        CommitQueue queue = new CommitQueue(this::commit);
        Future<Boolean> interrupted =
                writers.submit(
                        () -> {
                            Thread.currentThread().interrupt();
                            return queue.write(write("a")).isPresent()
                                    && Thread.currentThread().isInterrupted();
                        });
        awaitCommitUnderWay(1);

        mayCommit.release();

        assertThat(interrupted.get()).isTrue();
    }

    /** The revision of a write is the length of its name. */
    private List<OptionalLong> commit(List<ResourceTable.RowWrite> writes) {
        commits.add(names(writes));
        mayCommit.acquireUninterruptibly();
        return writes.stream()
                .map(write -> OptionalLong.of(write.row().key().name().length()))
                .collect(Collectors.toList());
    }

    private void awaitCommitUnderWay(int count) {
        await().atMost(TIMEOUT).until(() -> commits.size() == count);
    }

    private static void awaitWaiting(CommitQueue queue, int count) {
        await().atMost(TIMEOUT).until(() -> queue.waiting() == count);
    }

    private static List<String> names(List<ResourceTable.RowWrite> writes) {
        return writes.stream().map(write -> write.row().key().name()).toList();
    }

    private static ResourceTable.RowWrite write(String name) {
        return new ResourceTable.RowWrite(
                "tools.orloj.dev",
                new StoredDocument(new ResourceKey("default", name), "", "{}", "{}", "{}", "{}"),
                0,
                false);
    }
}
