package dev.orloj.server.mcp.elicitation;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.client.ClientCapabilities;
import dev.orloj.runtime.client.LogLevel;
import dev.orloj.runtime.client.LogListener;
import dev.orloj.runtime.client.ProgressListener;
import dev.orloj.runtime.client.RequestingClient;
import dev.orloj.runtime.clock.Scheduler;
import dev.orloj.runtime.gateway.GatewayPath;
import dev.orloj.runtime.subject.SubjectToken;
import dev.orloj.server.mcp.protocol.ClientRequest;
import dev.orloj.server.mcp.protocol.LocalClient;
import dev.orloj.server.mcp.protocol.ProtocolError;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A request to a server of an older revision that continues on its own thread between the rounds of
 * its client, which is of 2026-07-28. Requests of the server wait until the client returns with the
 * responses. Thread-safe.
 */
final class SuspendedCall implements RequestingClient {

    /** Makes the call; the suspended call is its client. */
    @FunctionalInterface
    public interface Work {

        /**
         * @throws ProtocolError when it ends with an error
         */
        ObjectNode run(CallingClient agent) throws InterruptedException;
    }

    /** What the attached client has to handle next. */
    sealed interface Turn {

        /** The call is over. */
        record Ended(ObjectNode result) implements Turn {}

        /**
         * The server waits for responses.
         *
         * @param requests as an InputRequiredResult lists them
         */
        record Asked(ObjectNode requests) implements Turn {}
    }

    /**
     * Collects requests that a server makes at the same time, since each comes in a message of its
     * own.
     */
    static final Duration GATHERING = Duration.ofMillis(20);

    private final String id;
    private final ClientCapabilities capabilities;
    private final Object identity;
    private final String user;
    private final Optional<SubjectToken> subjectToken;
    private final PendingServerRequests questions;
    private final CompletableFuture<ObjectNode> outcome = new CompletableFuture<>();
    private final Thread worker;

    private final Scheduler clock;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** Counts what may end the wait for a turn. */
    @GuardedBy("lock")
    private long changes = 0;

    @GuardedBy("lock")
    private boolean attached = true;

    @GuardedBy("lock")
    private Scheduler.Task timer = () -> {};

    private final LogListener logs;

    /** The attached client. */
    private volatile CallingClient caller;

    /**
     * Starts at once, with its client attached.
     *
     * @param first the client of the first round
     * @param timeout limit of the time to a response
     * @param clock measures that time, and the one in which requests are collected
     */
    SuspendedCall(
            String id,
            ClientRequest first,
            Duration timeout,
            Scheduler clock,
            CallingClient caller,
            Work work) {
        this.id = id;
        this.clock = clock;
        this.capabilities = first.capabilities();
        this.user = first.headers().user();
        this.subjectToken = first.headers().subjectToken();
        this.identity = LocalClient.of(first).<Object>map(known -> known).orElse(this);
        this.questions = new PendingServerRequests(timeout, clock, this::signal);
        this.caller = caller;
        this.logs = new Logs(caller.client().logs().level());
        ProgressListener progress =
                caller.progress() == ProgressListener.NONE
                        ? ProgressListener.NONE
                        : notification -> this.caller.progress().progressed(notification);
        List<String> passed = GatewayPath.passed();
        this.worker =
                Thread.ofVirtual()
                        .name("orloj-parked-" + id)
                        .unstarted(() -> work(work, passed, new CallingClient(progress, this)));
    }

    /** Drops log messages while no client is attached. */
    private final class Logs implements LogListener {

        private final Optional<LogLevel> level;

        Logs(Optional<LogLevel> level) {
            this.level = level;
        }

        @Override
        public Optional<LogLevel> level() {
            return level;
        }

        @Override
        public void logged(ObjectNode params) {
            caller.client().logs().logged(params);
        }
    }

    SuspendedCall start() {
        worker.start();
        return this;
    }

    String id() {
        return id;
    }

    /**
     * @param passed the gateways that the request has passed through
     */
    private void work(Work work, List<String> passed, CallingClient agent) {
        try {
            outcome.complete(GatewayPath.during(passed, () -> work.run(agent)));
        } catch (InterruptedException e) {
            outcome.completeExceptionally(
                    ProtocolError.internal("The request was cancelled", null));
        } catch (RuntimeException e) { // the attached client gets the failure, whatever it is
            outcome.completeExceptionally(e);
        } finally {
            signal();
        }
    }

    @Override
    public ClientCapabilities capabilities() {
        return capabilities;
    }

    @Override
    public String user() {
        return user;
    }

    @Override
    public Optional<SubjectToken> subjectToken() {
        return subjectToken;
    }

    @Override
    public Object identity() {
        return identity;
    }

    @Override
    public LogListener logs() {
        return logs;
    }

    @Override
    public boolean isPresent() {
        return isAttached();
    }

    @Override
    public JsonNode ask(ResourceKey server, String method, @Nullable JsonNode params)
            throws InterruptedException {
        return questions.ask(method, params);
    }

    private void signal() {
        lock.lock();
        try {
            changes++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Attaches the client that returned with responses. False when another of its requests is
     * attached already.
     *
     * @param responses by the keys of the server's requests; unknown keys are ignored
     */
    boolean attach(CallingClient back, JsonNode responses) {
        lock.lock();
        try {
            if (attached) {
                return false;
            }
            attached = true;
            timer.cancel();
            caller = back;
            questions.answer(responses);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the next turn. */
    Turn awaitTurn() throws InterruptedException {
        lock.lock();
        try {
            while (true) {
                if (outcome.isDone()) {
                    return new Turn.Ended(result());
                }
                ObjectNode open = questions.open();
                if (open.isEmpty()) {
                    changed.await();
                } else if (!changesWhileGathering()) {
                    return new Turn.Asked(open);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private boolean changesWhileGathering() throws InterruptedException {
        long before = changes;
        AtomicBoolean isOver = new AtomicBoolean();
        Scheduler.Task end = clock.schedule(GATHERING, () -> endGathering(isOver));
        try {
            while (changes == before && !isOver.get()) {
                changed.await();
            }
        } finally {
            end.cancel();
        }
        return changes != before;
    }

    private void endGathering(AtomicBoolean isOver) {
        lock.lock();
        try {
            isOver.set(true);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private ObjectNode result() throws InterruptedException {
        try {
            return outcome.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e);
        }
    }

    /**
     * Detaches the client until it returns with responses.
     *
     * @param timeout rings when it has not returned
     */
    void leave(Scheduler.Task timeout) {
        lock.lock();
        try {
            attached = false;
            timer = timeout;
            caller = CallingClient.NONE;
        } finally {
            lock.unlock();
        }
    }

    boolean isAttached() {
        lock.lock();
        try {
            return attached;
        } finally {
            lock.unlock();
        }
    }

    /** Cancels the request at the server. */
    void cancel() {
        worker.interrupt();
    }
}
