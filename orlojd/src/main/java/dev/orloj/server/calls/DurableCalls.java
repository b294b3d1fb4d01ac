package dev.orloj.server.calls;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.runtime.observation.CallId;
import dev.orloj.server.store.StoredCall;
import dev.orloj.server.store.StoredCall.State;
import dev.orloj.server.store.ToolCallTable;
import dev.orloj.server.store.ToolCallTable.Beginning;
import dev.orloj.server.store.table.DatabaseFailure;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Runs calls that continue without a waiting client, and stores their answers for all replicas. A
 * call is executed once: when its replica dies, the call fails and is never repeated. Thread-safe.
 */
public final class DurableCalls implements AutoCloseable {

    /** The maximum number of calls that run on this replica at a time. */
    static final int MAX_RUNNING = 1_000;

    /** The maximum size of the answer of a call. */
    static final int MAX_BYTES = 8 * 1024 * 1024;

    private static final Logger log = LoggerFactory.getLogger(DurableCalls.class);
    private static final Duration KEEP_AGAIN = Duration.ofSeconds(1);
    private static final Duration CLOSING_TIME = Duration.ofSeconds(2);

    private final ToolCallTable table;
    private final RequestDigest digest;
    private final String replica;
    private final Duration kept;
    private final ConcurrentMap<String, RunningCall> running = new ConcurrentHashMap<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CallMaintenance maintenance;

    /** Executes a call. Interrupted to end it early. */
    @FunctionalInterface
    public interface Work {
        CallAnswer run() throws InterruptedException;
    }

    /**
     * Describes a requested call.
     *
     * @param key makes the call idempotent for its caller
     * @param body compared to detect whether a second request with the key is the same
     */
    public record Order(
            ResourceKey tool, String caller, Optional<String> key, byte[] body, CallId id) {}

    /**
     * @param kept how long an answer stays available
     */
    public DurableCalls(ToolCallTable table, RequestDigest digest, String replica, Duration kept) {
        this.table = table;
        this.digest = digest;
        this.replica = replica;
        this.kept = kept;
        this.maintenance = new CallMaintenance(table, replica, kept, running, closing);
    }

    /** Returns how long an answer stays available. */
    public Duration kept() {
        return kept;
    }

    /**
     * Marks the calls that a previous run of this replica left running as failed in the database.
     */
    public void start() {
        maintenance.start();
    }

    /**
     * Starts a call, or finds the call that this or another replica started with the same key.
     *
     * @throws ApiException (Invalid) when the key was used for another request, (TooManyRequests)
     *     when too many calls are running, (ServiceUnavailable, InternalError) when the database
     *     cannot store the call, which is then not executed
     */
    public StoredCall begin(Order order, Work work) {
        // A request with a key can be repeated safely.
        return order.key().isPresent()
                ? DatabaseFailure.reading(() -> beginOrFind(order, work))
                : DatabaseFailure.writing(() -> beginOrFind(order, work));
    }

    private StoredCall beginOrFind(Order order, Work work) {
        String request = digest.of(order.body());
        if (running.size() >= MAX_RUNNING) {
            // A call that has already started needs no capacity.
            StoredCall known = known(order).orElseThrow(DurableCalls::tooMany);
            return same(known, request, order.key().orElseThrow());
        }
        while (true) {
            Optional<StoredCall> begun = insert(order, request);
            if (begun.isPresent()) {
                start(begun.get().id(), work);
                return begun.get();
            }
            // The call may be deleted between the insert and the look-up; then it is started again.
            Optional<StoredCall> known = known(order);
            if (known.isPresent()) {
                return same(known.get(), request, order.key().orElseThrow());
            }
        }
    }

    private Optional<StoredCall> insert(Order order, String request) {
        String id = order.id().text();
        try {
            return table.begin(
                    new Beginning(id, order.tool(), order.caller(), order.key(), request, replica));
        } catch (DataAccessException e) {
            maintenance.withdraw(id);
            throw e;
        }
    }

    private void start(String id, Work work) {
        RunningCall call =
                new RunningCall(
                        Thread.ofVirtual()
                                .name("orloj-call-" + id)
                                .unstarted(() -> make(id, work)));
        running.put(id, call);
        call.start();
    }

    private Optional<StoredCall> known(Order order) {
        return order.key().flatMap(key -> table.findByKey(order.tool(), order.caller(), key));
    }

    private static ApiException tooMany() {
        return new ApiException(
                ErrorReason.TOO_MANY_REQUESTS,
                "%d calls that no client waits for are under way at this replica of orlojd: wait for some to end, or cancel some"
                        .formatted(MAX_RUNNING));
    }

    private static StoredCall same(StoredCall known, String request, String key) {
        if (!known.request().equals(request)) {
            throw new ApiException(
                    ErrorReason.INVALID,
                    "the Idempotency-Key \"%s\" was used for another call of the tool \"%s\", with another body: use a new key for a new call"
                            .formatted(key, known.tool()));
        }
        return known;
    }

    private void make(String id, Work work) {
        RunningCall call = Objects.requireNonNull(running.get(id));
        try {
            keep(id, outcome(id, call, work));
        } finally {
            running.remove(id);
            call.end();
        }
    }

    /**
     * Retries until the database stores the answer: the call may have been executed, and only this
     * thread has the result.
     */
    private void keep(String id, CallAnswer answer) {
        boolean reported = false;
        while (true) {
            try {
                table.end(id, answer.state(), answer.document(), answer.made());
                return;
            } catch (DataAccessException e) {
                boolean again = DatabaseFailure.explains(e) && !endsWithin(KEEP_AGAIN);
                if (!again || !reported) {
                    reported = true;
                    // Without heartbeats, another replica finds the call and marks it as failed.
                    log.atWarn()
                            .addKeyValue("callId", id)
                            .addKeyValue("error", e.toString())
                            .log(
                                    again
                                            ? "The answer of a call cannot be kept yet, trying"
                                                    + " again"
                                            : "The answer of a call could not be kept");
                }
                if (!again) {
                    return;
                }
            }
        }
    }

    private boolean endsWithin(Duration time) {
        try {
            return closing.await(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private static CallAnswer outcome(String id, RunningCall call, Work work) {
        try {
            return fitting(work.run());
        } catch (InterruptedException e) {
            return call.isCancelled()
                    ? CallAnswer.broken(State.Cancelled, "it was cancelled")
                    : CallAnswer.broken(State.Failed, "orlojd stopped in the middle of it");
        } catch (RuntimeException e) { // the edge: whatever the failure, the call has ended
            return CallAnswer.failed(unexpected(id, e), true);
        } finally {
            call.over();
        }
    }

    private static ApiException unexpected(String id, RuntimeException e) {
        String errorId = UUID.randomUUID().toString();
        log.atError()
                .setCause(e)
                .addKeyValue("callId", id)
                .addKeyValue("errorId", errorId)
                .log("A call failed unexpectedly");
        return new ApiException(
                ErrorReason.INTERNAL_ERROR,
                "the call failed, and may have been carried out: see the log of orlojd under"
                        + " the id "
                        + errorId);
    }

    private static CallAnswer fitting(CallAnswer answer) {
        int bytes = Json.MAPPER.writeValueAsBytes(answer.document()).length;
        return bytes <= MAX_BYTES
                ? answer
                : CallAnswer.failed(
                        new ApiException(
                                ErrorReason.BAD_GATEWAY,
                                "the call was carried out, but its result has %d bytes, and %d are kept at most: call without a key and wait for the answer, or set max_output_bytes of the tool"
                                        .formatted(bytes, MAX_BYTES)),
                        true);
    }

    public Optional<StoredCall> find(ResourceKey tool, String id) {
        return DatabaseFailure.reading(() -> table.find(tool, id));
    }

    /**
     * Waits until a call has ended, on whichever replica it runs.
     *
     * @return the call; empty when it is no longer stored
     * @throws InterruptedException when this thread was interrupted; the call continues
     */
    public Optional<StoredCall> await(ResourceKey tool, String id) throws InterruptedException {
        while (true) {
            RunningCall here = running.get(id);
            if (here != null) {
                here.ended().await();
            }
            Optional<StoredCall> call = find(tool, id);
            if (call.isEmpty() || !call.get().isRunning()) {
                return call;
            }
            if (closing.await(CallMaintenance.LOOK_PERIOD.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new InterruptedException("orlojd stops");
            }
        }
    }

    /** Cancels a running call, on whichever replica it runs; does not wait for it. */
    public void cancel(String id) {
        RunningCall here = running.get(id);
        if (here != null) {
            here.cancel();
        }
        DatabaseFailure.reading(() -> table.cancel(id));
    }

    /** Cancels a call if it runs on this replica; does not wait for anything. */
    public void cancelHere(String id) {
        RunningCall here = running.get(id);
        if (here != null) {
            here.cancel();
        }
    }

    /** Deletes a call that has ended. */
    public void forget(String id) {
        DatabaseFailure.reading(() -> table.forget(id));
    }

    /** Ends the running calls and records that. */
    @Override
    public void close() {
        closing.countDown();
        running.values().forEach(RunningCall::breakOff);
        long deadline = System.nanoTime() + CLOSING_TIME.toNanos();
        try {
            for (RunningCall call : running.values()) {
                long left = Math.max(0, deadline - System.nanoTime());
                if (!call.ended().await(left, TimeUnit.NANOSECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
