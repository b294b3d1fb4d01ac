package dev.orloj.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.code.CodeGate;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.limit.ProcessLimits;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.definition.SessionSettings;
import dev.orloj.runtime.start.Starts;
import dev.orloj.runtime.testkit.FakeTransports;
import dev.orloj.runtime.testkit.ManualScheduler;
import dev.orloj.runtime.testkit.RecordedSessions;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.random.RandomGenerator;

/** A session manager over scripted servers and a clock moved by hand; leaves nothing behind. */
public final class SessionRig implements AfterEachCallback {

    public static final Duration TIMEOUT = Duration.ofSeconds(10);

    public final FakeTransports transports = new FakeTransports();
    public final ManualScheduler clock = new ManualScheduler();
    public final RecordedSessions listener = new RecordedSessions();
    public final SessionManager manager;

    public SessionRig() {
        this(ProcessLimits.NONE);
    }

    public SessionRig(ProcessLimits limits) {
        this(limits, () -> 0L);
    }

    public SessionRig(ProcessLimits limits, RandomGenerator random) {
        this(limits, random, Starts.ofThisMachine());
    }

    public SessionRig(ProcessLimits limits, RandomGenerator random, Starts starts) {
        SessionSettings usual = SessionSettings.withVersion("1.2.3");
        manager =
                new SessionManager(
                        transports,
                        listener,
                        clock,
                        random,
                        new SessionSettings(
                                usual.clientVersion(),
                                usual.drainTimeout(),
                                usual.shutdownTimeout(),
                                limits),
                        CodeGate.OPEN,
                        starts);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Thread closing = Thread.startVirtualThread(manager::close);
        await().untilAsserted(
                        () -> {
                            clock.advance(Duration.ofSeconds(5));
                            assertThat(closing.isAlive()).isFalse();
                        });
        assertThat(transports.open()).isEmpty();
        assertThat(manager.sessions()).isEmpty();
    }

    public JsonNode call(ServerDefinition definition) throws InterruptedException {
        return TestSessions.callTool(
                manager, definition, "echo", FakeTransports.json("{\"a\": 1}"), TIMEOUT);
    }

    /** Lets calls in, and out again when a test says so. */
    public Held holdCalls() {
        Held held = new Held();
        transports.on(
                "tools/call",
                (connection, params) -> {
                    held.arrived.countDown();
                    held.go.await();
                    return FakeTransports.echo(params);
                });
        return held;
    }

    public static final class Held {
        public final CountDownLatch arrived = new CountDownLatch(1);
        public final CountDownLatch go = new CountDownLatch(1);
    }

    public static <T> FutureTask<T> start(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread.startVirtualThread(task);
        return task;
    }

    public static <T> List<FutureTask<T>> startMany(int count, Callable<T> work) {
        CountDownLatch all = new CountDownLatch(count);
        List<FutureTask<T>> tasks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            tasks.add(
                    start(
                            () -> {
                                all.countDown();
                                all.await();
                                return work.call();
                            }));
        }
        return tasks;
    }

    public static JsonRpcError error(int code) {
        return new JsonRpcError(code, "no", null);
    }
}
