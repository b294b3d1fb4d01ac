package dev.orloj.server.calls;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.server.store.StoredCall;
import dev.orloj.server.store.StoredCall.State;
import dev.orloj.server.store.ToolCallTable;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Maintains the table of durable calls: renews the heartbeats of calls of this replica, fails calls
 * of dead replicas, cancels calls on request, and deletes old ones. Thread-safe.
 */
final class CallMaintenance {

    /**
     * A replica without a heartbeat for this long, by the clock of the database, counts as dead.
     */
    static final Duration SILENCE = Duration.ofSeconds(40);

    static final Duration LOOK_PERIOD = Duration.ofMillis(500);

    private static final Logger log = LoggerFactory.getLogger(CallMaintenance.class);
    private static final int MAX_KEPT = 100_000;
    private static final int LOOKS_PER_SWEEP = 20;

    private final ToolCallTable table;
    private final String replica;
    private final Duration kept;
    private final Map<String, RunningCall> running;
    private final CountDownLatch closing;
    private final Set<String> withdrawn = ConcurrentHashMap.newKeySet();

    /** The time since which every sweep has reached the database, by {@link System#nanoTime}. */
    private long thereSince = System.nanoTime() - SILENCE.toNanos();

    /**
     * @param kept how long an answer stays available
     * @param running the calls of this replica, by id
     * @param closing ends the maintenance
     */
    CallMaintenance(
            ToolCallTable table,
            String replica,
            Duration kept,
            Map<String, RunningCall> running,
            CountDownLatch closing) {
        this.table = table;
        this.replica = replica;
        this.kept = kept;
        this.running = running;
        this.closing = closing;
    }

    /**
     * Marks the calls that a previous run of this replica left running as failed in the database.
     */
    void start() {
        for (StoredCall left : table.running(replica)) {
            abandon(left, "the replica \"%s\" of orlojd ended in the middle of it");
        }
        Thread.ofVirtual().name("orloj-durable-calls").start(this::run);
    }

    /** Withdraws a call that is not executed, though the database may record it as started. */
    void withdraw(String id) {
        withdrawn.add(id);
    }

    private void run() {
        try {
            for (int look = 1;
                    !closing.await(LOOK_PERIOD.toMillis(), TimeUnit.MILLISECONDS);
                    look++) {
                look(look % LOOKS_PER_SWEEP == 0);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look(boolean sweep) {
        try {
            endWithdrawn();
            if (!running.isEmpty()) {
                table.cancelling(replica).forEach(this::cancel);
            }
            if (sweep) {
                sweep();
            }
        } catch (DataAccessException e) {
            thereSince = System.nanoTime();
            log.atWarn()
                    .addKeyValue("error", e.toString())
                    .log("Calls that are kept could not be looked after");
        }
    }

    private void endWithdrawn() {
        for (String id : withdrawn) {
            CallAnswer answer =
                    CallAnswer.failed(
                            new ApiException(
                                    ErrorReason.SERVICE_UNAVAILABLE,
                                    "the call was not made: the database broke off when it was to"
                                            + " begin; ask for it again"),
                            false);
            table.end(id, answer.state(), answer.document(), answer.made());
            withdrawn.remove(id);
        }
    }

    private void cancel(String id) {
        RunningCall here = running.get(id);
        if (here != null) {
            here.cancel();
        }
    }

    private void sweep() {
        // Only calls that run now: a call whose answer could not be stored must be found abandoned.
        table.showLife(running.keySet());
        // When the database comes back, the other replicas have not sent heartbeats yet either.
        if (System.nanoTime() - thereSince >= SILENCE.toNanos()) {
            for (StoredCall left : table.abandoned(SILENCE)) {
                abandon(left, "the replica \"%s\" of orlojd, which made it, shows no sign of life");
            }
        }
        table.sweep(kept, MAX_KEPT);
    }

    private void abandon(StoredCall call, String why) {
        CallAnswer answer = CallAnswer.broken(State.Failed, why.formatted(call.replica()));
        table.end(call.id(), answer.state(), answer.document(), answer.made());
    }
}
