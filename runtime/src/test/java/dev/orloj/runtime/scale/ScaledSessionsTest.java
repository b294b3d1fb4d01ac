package dev.orloj.runtime.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.api.codec.Json;
import dev.orloj.api.pod.ScaleTargetRef;
import dev.orloj.runtime.clock.Scheduler;
import dev.orloj.runtime.clock.SystemScheduler;
import dev.orloj.runtime.network.EndpointAddresses;
import dev.orloj.runtime.reading.MessageLimits;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.session.SessionOpenException;
import dev.orloj.runtime.session.TestSessions;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.definition.SessionSettings;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.Engines;
import dev.orloj.runtime.testkit.FakeHttpServer;
import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.runtime.testkit.RecordedSessions;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.runtime.transport.standard.PodLauncher;
import dev.orloj.runtime.transport.standard.StandardTransports;
import dev.orloj.runtime.workload.Supervisor;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** Sessions with a server over HTTP whose workload is scaled. */
class ScaledSessionsTest {

    private static final ScaleTargetRef SEARCH =
            new ScaleTargetRef(ScaleTargetRef.Kind.DEPLOYMENT, "search");
    private static final Duration IDLE = Duration.ofMinutes(5);
    private static final Duration CALL = Duration.ofSeconds(30);

    private final FakeHttpServer http =
            FakeHttpServer.start(FakeScript.wellBehaved().tools("echo"));
    private final FakeWorkloads cluster = new FakeWorkloads();
    private final FakeWorkloads.Connection connection = cluster.new Connection();
    private final AtomicLong nanoTime = new AtomicLong();
    private final SystemScheduler clock = new SystemScheduler();
    private final WorkloadScaler scaler =
            new WorkloadScaler(connection, new Stepping(), nanoTime::get, Runnable::run, () -> {});
    private final Supervisor supervisor = new Supervisor();
    private final List<AutoCloseable> opened = new ArrayList<>();

    /** A wait moves the monotonic clock. */
    private final class Stepping implements Scheduler {

        @Override
        public Task schedule(Duration delay, Runnable task) {
            return clock.schedule(delay, task);
        }

        @Override
        public void await(Duration delay) {
            nanoTime.addAndGet(delay.toNanos());
        }

        @Override
        public Instant instant() {
            return clock.instant();
        }
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable resource : opened) {
            resource.close();
        }
        supervisor.close();
        scaler.close();
        clock.close();
        http.close();
    }

    private SessionManager manager(Optional<WorkloadScaler> scaling) {
        StandardTransports transports =
                new StandardTransports(
                        supervisor,
                        Engines.unused(),
                        PodLauncher.NONE,
                        scaling,
                        EndpointAddresses.DEFAULT,
                        MessageLimits.usual(),
                        Optional::empty);
        SessionManager manager =
                new SessionManager(
                        transports,
                        new RecordedSessions(),
                        clock,
                        new Random(1),
                        SessionSettings.withVersion("1.2.3"));
        opened.add(manager);
        opened.add(transports);
        return manager;
    }

    private ServerDefinition definition() {
        ServerDefinition server = Definitions.server("search");
        return Definitions.withAddress(
                server,
                new ServerAddress.Http(
                        http.endpoint(),
                        Map.of(),
                        null,
                        Optional.of(
                                new ScaledServer(
                                        server.server(), SEARCH, Duration.ofSeconds(30)))));
    }

    private void call(SessionManager manager) throws InterruptedException {
        TestSessions.callTool(manager, definition(), "echo", Json.MAPPER.createObjectNode(), CALL);
    }

    @Test
    void firstCallStartsTheServer() throws InterruptedException {
        cluster.put(SEARCH, 0);

        call(manager(Optional.of(scaler)));

        assertThat(cluster.writes).containsExactly(1);
        assertThat(cluster.leases).containsKey(SEARCH);
    }

    @Test
    void callsAtTheSameTimeStartItOnce() throws Exception {
        cluster.put(SEARCH, 0);
        SessionManager manager = manager(Optional.of(scaler));

        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> calls = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                calls.add(
                        callers.submit(
                                () -> {
                                    call(manager);
                                    return true;
                                }));
            }
            for (Future<?> call : calls) {
                call.get();
            }
        }

        assertThat(cluster.writes).containsExactly(1);
    }

    @Test
    void serverIsIdleWhenItsSessionHasEnded() throws InterruptedException {
        cluster.put(SEARCH, 1);
        SessionManager manager = manager(Optional.of(scaler));
        ServerDefinition definition = definition();
        ScaledServer server = definition.address().scaled().orElseThrow();
        call(manager);

        rest(server);
        assertThat(cluster.writes).as("while it is open").isEmpty();

        TestSessions.retire(manager, definition.server());
        rest(server);
        assertThat(cluster.writes).containsExactly(0);
    }

    private void rest(ScaledServer server) {
        for (int i = 0; i < 3; i++) {
            scaler.rest(server, IDLE);
            nanoTime.addAndGet(Duration.ofMinutes(10).toNanos());
        }
    }

    @Test
    void workloadWithoutTheLabelIsTheReasonWhyTheSessionDoesNotOpen() {
        cluster.putWithoutLabel(SEARCH, 0);
        SessionManager manager = manager(Optional.of(scaler));

        assertThatThrownBy(() -> call(manager))
                .isInstanceOf(SessionOpenException.class)
                .hasMessageContaining("orloj.dev/scale=true");
        assertThat(http.received()).isEmpty();
    }

    @Test
    void orlojdWithoutAClusterNamesTheRemedy() {
        SessionManager manager = manager(Optional.empty());

        assertThatThrownBy(() -> call(manager))
                .isInstanceOf(SessionOpenException.class)
                .hasMessageContaining("--container-engine pod");
    }
}
