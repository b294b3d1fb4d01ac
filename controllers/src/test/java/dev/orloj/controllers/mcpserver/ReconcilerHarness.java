package dev.orloj.controllers.mcpserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ApiException;
import dev.orloj.api.Backoff;
import dev.orloj.api.Kind;
import dev.orloj.api.Resource;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.core.Event;
import dev.orloj.api.testing.ConditionChecks;
import dev.orloj.api.testing.FaultyClient;
import dev.orloj.api.testing.ManualClock;
import dev.orloj.api.testing.MemoryResourceClient;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerStatus;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.container.ContainerJournal;
import dev.orloj.controllers.container.ContainerStatus;
import dev.orloj.controllers.control.Result;
import dev.orloj.controllers.informer.Informer;
import dev.orloj.controllers.informer.Informers;
import dev.orloj.controllers.informer.LastHandler;
import dev.orloj.controllers.login.LoginRevocations;
import dev.orloj.controllers.login.UserLogins.Logout;
import dev.orloj.controllers.login.UserLogins.Revocation;
import dev.orloj.controllers.mcpserver.approval.InMemoryApprovals;
import dev.orloj.controllers.mcpserver.definition.Resolution;
import dev.orloj.controllers.mcpserver.definition.ServerDefaults;
import dev.orloj.controllers.mcpserver.tools.ToolListings;
import dev.orloj.controllers.sandbox.ContainerPolicy;
import dev.orloj.controllers.secret.EnvironmentSecrets;
import dev.orloj.controllers.secret.OperatorSecrets;
import dev.orloj.controllers.workqueue.Workqueue;
import dev.orloj.runtime.client.SessionRequest;
import dev.orloj.runtime.clock.SystemScheduler;
import dev.orloj.runtime.limit.ProcessLimits;
import dev.orloj.runtime.listing.ListingLimits;
import dev.orloj.runtime.session.FailedOpening;
import dev.orloj.runtime.session.SessionInfo;
import dev.orloj.runtime.session.SessionListener;
import dev.orloj.runtime.session.SessionListeners;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.session.TestSessions;
import dev.orloj.runtime.session.definition.SessionSettings;
import dev.orloj.runtime.workload.ProcessUsers;

import org.awaitility.Awaitility;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;

/**
 * A reconciler with real caches over a store in memory and real sessions with scripted servers,
 * called by hand. Before each call the caches have caught up; after each the status is linted.
 */
final class ReconcilerHarness implements AutoCloseable {

    /** What {@code ORLOJ_SECRET_GIVEN} holds. */
    static final String GIVEN_SECRET = "value-of-orlojd";

    private static final int MAX_ROUNDS = 30;

    static {
        // Caches catch up within a millisecond, and every reconcile waits for them.
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        Awaitility.setDefaultPollInterval(Duration.ofMillis(2));
    }

    final ManualClock clock = new ManualClock();
    final MemoryResourceClient store = new MemoryResourceClient(clock);
    final FaultyClient client = new FaultyClient(store);
    final ScriptedServers servers = new ScriptedServers();
    final InMemoryApprovals approvals = new InMemoryApprovals();

    /** The uids of the servers whose logins were revoked. */
    final List<String> revoked = new CopyOnWriteArrayList<>();

    /** Run on the thread of a session that failed, before and after the journal records it. */
    volatile Runnable beforeJournal = () -> {};

    volatile Runnable afterJournal = () -> {};

    /** What the next start of orlojd runs containers with. */
    ContainerPolicy policy = ContainerPolicy.DEFAULT;

    /** Revocations wait for it. */
    volatile CountDownLatch revocationsBegin = new CountDownLatch(0);

    private final SystemScheduler scheduler = new SystemScheduler();
    private Process process = new Process();

    /** Everything that a crash of orlojd takes along. */
    private final class Process {

        final Informers informers = new Informers(store, McpServerCaches.KINDS);
        final SessionJournal journal = new SessionJournal(clock);
        final ContainerJournal containers = new ContainerJournal();
        final SessionManager sessions =
                new SessionManager(
                        servers,
                        new SessionListeners(
                                List.of(
                                        new OnFailure(() -> beforeJournal.run()),
                                        journal,
                                        new OnFailure(() -> afterJournal.run()))),
                        scheduler,
                        new Random(1),
                        new SessionSettings(
                                "test",
                                Duration.ofSeconds(1),
                                Duration.ofSeconds(1),
                                ProcessLimits.NONE));
        final Workqueue<ResourceKey> queue =
                new Workqueue<>(
                        new Backoff(Duration.ofMillis(1), Duration.ofMillis(1), 0),
                        clock,
                        new Random(1));
        final McpServerCaches caches;
        final McpServerReconciler reconciler;

        /** Whether every handler of an informer has what the store has, for each informer. */
        private final Map<Kind<?>, BooleanSupplier> current = new LinkedHashMap<>();

        Process() {
            caches =
                    new McpServerCaches(
                            informers,
                            new ServerDefaults(
                                    Duration.ofSeconds(5),
                                    Duration.ofMillis(100),
                                    policy,
                                    ListingLimits.Ceilings.DEFAULT,
                                    OperatorSecrets.of(
                                            new EnvironmentSecrets(
                                                    Map.of("ORLOJ_SECRET_GIVEN", GIVEN_SECRET))),
                                    ProcessUsers.NONE));
            McpServerTriggers.install(caches, queue, journal);
            containers.onChange(queue::add);
            sessions.scaling().onChange(queue::add);
            reconciler =
                    new McpServerReconciler(
                            client,
                            caches,
                            sessions,
                            journal,
                            new ContainerStatus(containers, clock),
                            new ToolListings(
                                    clock,
                                    Duration.ofMinutes(5),
                                    caches::listingLimits,
                                    queue::add),
                            new LoginRevocations(this::revoke, queue::add, clock),
                            approvals,
                            clock,
                            "replica-1");
            for (Informer<?> informer : informers.all()) {
                current.put(informer.kind(), current(informer));
                informer.start();
            }
        }

        private Logout revoke(McpServer server) {
            try {
                revocationsBegin.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            revoked.add(server.metadata().uid());
            return new Logout(Revocation.REVOKED, "");
        }

        void awaitHandlers() {
            await().until(() -> current.values().stream().allMatch(BooleanSupplier::getAsBoolean));
        }

        private <R extends Resource> BooleanSupplier current(Informer<R> informer) {
            LastHandler<R> last = LastHandler.of(informer);
            return () -> informer.hasSynced() && last.received().equals(all(informer.kind()));
        }

        boolean isEnqueued(ResourceKey key) {
            Optional<ResourceKey> next = queue.poll();
            next.ifPresent(queue::done);
            return next.filter(key::equals).isPresent();
        }

        void stopInformer(Kind<?> kind) throws InterruptedException {
            current.remove(kind);
            informers.of(kind).close();
        }

        void stopInformers() throws InterruptedException {
            for (Informer<?> informer : informers.all()) {
                informer.close();
            }
        }

        void end() throws InterruptedException {
            stopInformers();
            sessions.close();
        }
    }

    private record OnFailure(Runnable action) implements SessionListener {

        @Override
        public void openFailed(ResourceKey server, FailedOpening failure) {
            action.run();
        }

        @Override
        public void opened(ResourceKey server, SessionInfo session) {}

        @Override
        public void closed(ResourceKey server, SessionInfo session, String cause, boolean failure) {
            action.run();
        }

        @Override
        public void toolsChanged(ResourceKey server) {}
    }

    <R extends Resource> List<R> all(Kind<R> kind) {
        return store.list(kind, ListOptions.everything()).items();
    }

    /** orlojd is killed and started again: only the store remembers. */
    void restart() throws InterruptedException {
        process.end();
        process = new Process();
    }

    /** Looks at a server, and again whenever what a look has started comes to its end. */
    Result reconcile(ResourceKey key) {
        Result result = look(key);
        while (isUnderWay(result)) {
            await().until(() -> isEnqueued(key));
            result = look(key);
        }
        return result;
    }

    private static boolean isUnderWay(Result result) {
        return result.equals(Result.requeueAfter(McpServerReconciler.LOOK_AGAIN))
                || result.equals(Result.requeueAfter(ToolRefresh.QUICK));
    }

    /** Whether there is a reason to look at the server since the latest look. */
    boolean isEnqueued(ResourceKey key) {
        return process.isEnqueued(key);
    }

    /** Returns when there is no reason to look at a server but what a look has started. */
    void drainQueue() {
        process.awaitHandlers();
        process.queue.poll().ifPresent(process.queue::done);
    }

    /** One look, which starts what takes time and returns. */
    Result look(ResourceKey key) {
        process.awaitHandlers();
        return lookAtCaches(key);
    }

    /** From now on the caches do not catch up with the store. */
    void stopInformers() throws InterruptedException {
        process.awaitHandlers();
        process.stopInformers();
    }

    /** From now on the cache of a kind does not catch up with the store; the others do. */
    void stopInformer(Kind<?> kind) throws InterruptedException {
        process.awaitHandlers();
        process.stopInformer(kind);
    }

    /** One look at what the caches hold, whatever the store holds. */
    Result lookAtCaches(ResourceKey key) {
        process.isEnqueued(key);
        try {
            return process.reconciler.reconcile(key);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            store.find(McpServer.KIND, key).ifPresent(this::lint);
        }
    }

    private void lint(McpServer server) {
        if (server.status().phase() != null) {
            ConditionChecks.check(
                    server.key().toString(),
                    server.status().conditions(),
                    server.status().observedGeneration(),
                    List.of("s3cret-value"));
        }
    }

    /** Reconciles as a controller would, until a look at the server changes nothing any more. */
    void reconcileUntilSteady(ResourceKey key) {
        for (int round = 0; round < MAX_ROUNDS; round++) {
            long before = store.head().value();
            boolean failed = !attempt(key);
            if (!failed && store.head().value() == before) {
                return;
            }
        }
        throw new AssertionError(
                "%s is not steady after %d rounds: %s"
                        .formatted(key, MAX_ROUNDS, store.find(McpServer.KIND, key)));
    }

    private boolean attempt(ResourceKey key) {
        try {
            reconcile(key);
            return true;
        } catch (ApiException e) {
            return false;
        }
    }

    McpServer apply(McpServer server) {
        return store.create(McpServer.KIND, server);
    }

    McpServer server(ResourceKey key) {
        return store.get(McpServer.KIND, key);
    }

    void delete(ResourceKey key) {
        store.delete(McpServer.KIND, key, DeleteOptions.UNCONDITIONAL);
    }

    List<String> toolNames() {
        return all(Tool.KIND).stream().map(tool -> tool.metadata().name()).toList();
    }

    List<String> eventReasons() {
        return all(Event.KIND).stream().map(Event::reason).sorted().toList();
    }

    Optional<SessionJournal.Ending> ending(ResourceKey key) {
        return process.journal.ending(key);
    }

    boolean failedToOpen(ResourceKey key) {
        return process.journal.notOpened(key).isPresent();
    }

    long changes(ResourceKey key) {
        return process.journal.changes(key);
    }

    /** As a call to one of its tools would. */
    void openSession(ResourceKey key) throws InterruptedException {
        Resolution resolution = process.caches.resolve(server(key));
        TestSessions.sessionFor(process.sessions, ((Resolution.Resolved) resolution).definition());
    }

    /** As a call of this client would, which logs may reach; its session goes on. */
    void callAs(String client, ResourceKey key) throws InterruptedException {
        call(new LoggingClient(Optional.of(client)), key);
    }

    /** As a call of a client that is not recognised: its session ends with the call. */
    void callAsStranger(ResourceKey key) throws InterruptedException {
        call(new LoggingClient(Optional.empty()), key);
    }

    private void call(LoggingClient client, ResourceKey key) throws InterruptedException {
        Resolution resolution = process.caches.resolve(server(key));
        SessionRequest request = client.request();
        process.sessions.withSession(
                ((Resolution.Resolved) resolution).definition(),
                request,
                session -> session.call(request));
    }

    Duration startupTimeout(ResourceKey key) {
        Resolution resolution = process.caches.resolve(server(key));
        return ((Resolution.Resolved) resolution).definition().timeouts().startup();
    }

    ContainerJournal containers() {
        return process.containers;
    }

    SessionManager sessions() {
        return process.sessions;
    }

    void assertPhase(ResourceKey key, McpServerStatus.Phase phase) {
        assertThat(server(key).status().phase()).isEqualTo(phase);
    }

    @Override
    public void close() throws InterruptedException {
        process.end();
        scheduler.close();
    }
}
