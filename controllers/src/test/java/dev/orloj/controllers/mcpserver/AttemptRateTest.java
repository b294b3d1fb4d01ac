package dev.orloj.controllers.mcpserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;

import com.sun.net.httpserver.HttpServer;

import dev.orloj.api.ApiException;
import dev.orloj.api.Backoff;
import dev.orloj.api.Condition;
import dev.orloj.api.Conditions;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.core.Secret;
import dev.orloj.api.testing.MemoryResourceClient;
import dev.orloj.api.v1.McpServer;
import dev.orloj.controllers.container.ContainerJournal;
import dev.orloj.controllers.control.Reconciler;
import dev.orloj.controllers.control.Result;
import dev.orloj.controllers.informer.Informer;
import dev.orloj.controllers.informer.Informers;
import dev.orloj.controllers.informer.LastHandler;
import dev.orloj.controllers.login.UserLogins.Logout;
import dev.orloj.controllers.login.UserLogins.Revocation;
import dev.orloj.controllers.mcpserver.approval.InMemoryApprovals;
import dev.orloj.controllers.mcpserver.definition.ServerDefaults;
import dev.orloj.controllers.sandbox.ContainerPolicy;
import dev.orloj.controllers.workqueue.Workqueue;
import dev.orloj.runtime.container.ContainerEngine;
import dev.orloj.runtime.container.engine.EngineSettings;
import dev.orloj.runtime.container.spec.ContainerListener;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.session.definition.SessionSettings;
import dev.orloj.runtime.testkit.ManualScheduler;
import dev.orloj.runtime.transport.standard.StandardTransports;
import dev.orloj.runtime.workload.Supervisor;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * H-01: how often a server that fails is tried over half an hour, for each kind of failure, with
 * the whole of the queue, the reconciler, the journal and the sessions, over real processes and
 * connections. Only time is made by hand.
 */
@Timeout(120)
class AttemptRateTest {

    private static final Duration STEP = Duration.ofMillis(500);
    private static final Duration HALF_AN_HOUR = Duration.ofMinutes(30);

    private final ManualScheduler clock = new ManualScheduler();
    private final MemoryResourceClient store = new MemoryResourceClient(clock);
    private final Map<String, List<Instant>> attempts = new ConcurrentHashMap<>();
    private final Supervisor supervisor = new Supervisor();
    private final StandardTransports transports =
            new StandardTransports(
                    supervisor,
                    new ContainerEngine(
                            new EngineSettings("unix:///nowhere/docker.sock", "test"),
                            ContainerListener.NONE));
    private final SessionJournal journal = new SessionJournal(clock);
    private final SessionManager sessions =
            new SessionManager(
                    (address, stderr, label) -> {
                        attempts.computeIfAbsent(label, l -> new CopyOnWriteArrayList<>())
                                .add(clock.instant());
                        return transports.create(address, stderr, label);
                    },
                    journal,
                    clock,
                    () -> 0L,
                    SessionSettings.withVersion("test"));
    private final Informers informers = new Informers(store, McpServerCaches.KINDS);
    private final Informer<McpServer> servers = informers.of(McpServer.KIND);
    private final Informer<Secret> secrets = informers.of(Secret.KIND);
    private final Workqueue<ResourceKey> queue =
            new Workqueue<>(
                    new Backoff(Duration.ofMillis(100), Duration.ofMinutes(5), 0), clock, () -> 0L);
    private final HttpServer http;
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final Reconciler reconciler;
    private final LastHandler<McpServer> handled;

    AttemptRateTest() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        answer("/locked", 401, "no");
        answer(
                "/old",
                200,
                "{\"jsonrpc\": \"2.0\", \"id\": %s, \"result\": {\"protocolVersion\":"
                        + " \"1999-01-01\"}}");
        http.start();
        McpServerControl control = control();
        reconciler =
                control.reconciler(
                        store,
                        sessions,
                        journal,
                        new ContainerJournal(),
                        queue,
                        _ -> new Logout(Revocation.NONE, ""),
                        new InMemoryApprovals(),
                        clock,
                        Duration.ofMinutes(5),
                        "replica-1");
        handled = LastHandler.of(servers);
        informers.all().forEach(Informer::start);
        Logger root = (Logger) LoggerFactory.getLogger("dev.orloj");
        logged.list = new CopyOnWriteArrayList<>(); // other threads log while a test reads
        logged.start();
        root.addAppender(logged);
    }

    private McpServerControl control() {
        return new McpServerControl(
                informers,
                new ServerDefaults(
                        Duration.ofSeconds(20), Duration.ofMillis(100), ContainerPolicy.DEFAULT));
    }

    private void answer(String path, int status, String body) {
        http.createContext(
                path,
                exchange -> {
                    String request =
                            new String(
                                    exchange.getRequestBody().readAllBytes(),
                                    StandardCharsets.UTF_8);
                    String id =
                            request.replaceAll("(?s).*\"id\"\\s*:\\s*(\"[^\"]*\"|\\d+).*", "$1");
                    byte[] bytes = body.replace("%s", id).getBytes(StandardCharsets.UTF_8);
                    exchange.getResponseHeaders().add("Content-Type", "application/json");
                    exchange.sendResponseHeaders(status, bytes.length);
                    try (OutputStream out = exchange.getResponseBody()) {
                        out.write(bytes);
                    }
                });
    }

    @AfterEach
    void close() throws InterruptedException {
        ((Logger) LoggerFactory.getLogger("dev.orloj")).detachAppender(logged);
        for (Informer<?> informer : informers.all()) {
            informer.close();
        }
        Thread closing = Thread.startVirtualThread(sessions::close);
        await().until(
                        () -> {
                            clock.advance(Duration.ofSeconds(5));
                            return !closing.isAlive();
                        });
        transports.close();
        supervisor.close();
        http.stop(0);
    }

    private void apply(String name, String spec) {
        store.create(McpServer.KIND, Manifests.server("default", name, spec));
    }

    private String url(String path) {
        return "http://127.0.0.1:" + http.getAddress().getPort() + path;
    }

    /** Time passes, and whatever is due is done. */
    private void pass(Duration time) throws InterruptedException {
        Instant end = clock.instant().plus(time);
        while (clock.instant().isBefore(end)) {
            work();
            clock.advance(STEP);
        }
    }

    private void work() throws InterruptedException {
        boolean idle = false;
        while (!idle) {
            await().pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(this::isQuiet);
            idle = true;
            for (Optional<ResourceKey> key = queue.poll(); key.isPresent(); key = queue.poll()) {
                idle = false;
                reconcile(key.get());
                queue.done(key.get());
            }
        }
    }

    private void reconcile(ResourceKey key) throws InterruptedException {
        try {
            Result result = reconciler.reconcile(key);
            if (result instanceof Result.RequeueAfter(Duration delay)) {
                queue.addAfter(key, delay);
            }
        } catch (ApiException e) {
            // The cache was behind: the control loop tries again, and so does this one.
            assertThat(e.reason()).isEqualTo(ErrorReason.CONFLICT);
            queue.add(key);
        }
    }

    /** Nothing runs: whatever is under way waits for its time. */
    private boolean isQuiet() {
        return servers.hasSynced()
                && handled.received()
                        .equals(store.list(McpServer.KIND, ListOptions.everything()).items())
                && secrets.hasSynced()
                && sessions.sessions().isEmpty();
    }

    private Condition condition(String server, String type) {
        ResourceKey key = new ResourceKey("default", server);
        return Conditions.find(store.get(McpServer.KIND, key).status().conditions(), type)
                .orElseThrow();
    }

    @Test
    void serversThatFailAreTriedLessAndLessOften() throws InterruptedException {
        apply("locked", "\"transport\": \"http\", \"endpoint\": \"%s\"".formatted(url("/locked")));
        apply("refused", "\"transport\": \"http\", \"endpoint\": \"http://127.0.0.1:1/mcp\"");
        apply("missing", "\"transport\": \"stdio\", \"command\": \"no-such-program-of-orloj\"");
        apply(
                "exits",
                "\"transport\": \"stdio\", \"command\": \"sh\", \"args\": [\"-c\", \"exit 3\"]");
        apply("old", "\"transport\": \"http\", \"endpoint\": \"%s\"".formatted(url("/old")));
        apply("image", "\"transport\": \"stdio\", \"image\": \"registry.invalid/none:1\"");
        apply(
                "secret",
                "\"transport\": \"stdio\", \"command\": \"sh\", \"env\": [{\"name\": \"A\","
                        + " \"secretRef\": \"none\"}]");

        pass(HALF_AN_HOUR);

        assertThat(attempts).doesNotContainKey("default/secret");
        assertThat(condition("secret", "Accepted").reason()).isEqualTo("SecretNotFound");
        for (String name : List.of("locked", "refused", "missing", "exits", "old", "image")) {
            List<Instant> tried = attempts.get("default/" + name);
            assertThat(tried).as(name).hasSizeBetween(8, 15);
            assertGrows(name, gaps(tried));
            assertThat(condition(name, "Connected").reason())
                    .as(name)
                    .isEqualTo(name.equals("image") ? "EngineUnavailable" : "ConnectFailed");
            // A program that ends when it is asked for its era is started twice at first.
            assertThat(linesOf(name)).as(name).hasSizeBetween(tried.size() - 1, tried.size() + 1);
        }
    }

    private static List<Duration> gaps(List<Instant> times) {
        List<Duration> gaps = new ArrayList<>();
        for (int n = 1; n < times.size(); n++) {
            gaps.add(Duration.between(times.get(n - 1), times.get(n)));
        }
        return gaps;
    }

    /** Doubles until it is five minutes; a program may be started twice at first, for its era. */
    private static void assertGrows(String name, List<Duration> gaps) {
        for (int n = 1; n < gaps.size(); n++) {
            Duration doubled = Duration.ofSeconds(1L << n);
            Duration most = Duration.ofMinutes(5);
            assertThat(gaps.get(n))
                    .as("%s: %s", name, gaps)
                    .isGreaterThanOrEqualTo(doubled.compareTo(most) > 0 ? most : doubled);
        }
    }

    private List<String> linesOf(String name) {
        return logged.list.stream()
                .filter(event -> event.getLevel().isGreaterOrEqual(Level.INFO))
                .filter(
                        event ->
                                event.getKeyValuePairs() != null
                                        && event.getKeyValuePairs().stream()
                                                .map(pair -> String.valueOf(pair.value))
                                                .anyMatch(v -> v.startsWith("default/" + name)))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    /** Neither a status write nor an event of the cluster cuts the wait short. */
    @Test
    void onlyAChangeOfWhatTheSessionIsOpenedForCutsTheWaitShort() throws InterruptedException {
        ResourceKey key = new ResourceKey("default", "missing");
        apply("missing", "\"transport\": \"stdio\", \"command\": \"no-such-program-of-orloj\"");
        pass(Duration.ofMinutes(5));
        int before = attempts.get("default/missing").size();

        McpServer stored = store.get(McpServer.KIND, key);
        store.updateStatus(
                McpServer.KIND,
                stored.withStatus(stored.status().toBuilder().lastError("touched").build()));
        store.create(Secret.KIND, Manifests.secret("default", "other", "value", "x"));
        queue.add(key);
        pass(Duration.ofSeconds(2));
        assertThat(attempts.get("default/missing")).hasSize(before);

        McpServer restarted = store.get(McpServer.KIND, key);
        store.update(
                McpServer.KIND,
                restarted.withMetadata(
                        restarted
                                .metadata()
                                .withAnnotations(
                                        Map.of(McpServer.RESTARTED_AT, "2026-11-21T07:00:00Z"))));
        pass(Duration.ofSeconds(2));
        assertThat(attempts.get("default/missing")).as("restart").hasSize(before + 1);

        store.update(
                McpServer.KIND,
                Manifests.respecified(
                        store.get(McpServer.KIND, key),
                        "\"transport\": \"stdio\", \"command\": \"no-such-program-of-orloj\","
                                + " \"timeout\": \"7s\""));
        pass(Duration.ofSeconds(2));
        assertThat(attempts.get("default/missing")).as("spec").hasSize(before + 2);
    }
}
