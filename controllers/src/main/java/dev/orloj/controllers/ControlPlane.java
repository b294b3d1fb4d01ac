package dev.orloj.controllers;

import dev.orloj.api.Backoff;
import dev.orloj.api.Kind;
import dev.orloj.api.Resource;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.approval.ToolApprovals;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.core.Event;
import dev.orloj.api.core.Lease;
import dev.orloj.api.core.Namespace;
import dev.orloj.api.policy.McpServerPolicy;
import dev.orloj.api.v1.Kinds;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.compact.CompactTools;
import dev.orloj.controllers.container.ContainerJournal;
import dev.orloj.controllers.control.Controller;
import dev.orloj.controllers.control.ControllerManager;
import dev.orloj.controllers.control.LeaderElector;
import dev.orloj.controllers.control.Reconciler;
import dev.orloj.controllers.events.EventExpiry;
import dev.orloj.controllers.gc.OwnerCollector;
import dev.orloj.controllers.gc.OwnerGraph;
import dev.orloj.controllers.httptool.HttpToolControl;
import dev.orloj.controllers.informer.Informer;
import dev.orloj.controllers.informer.Informers;
import dev.orloj.controllers.login.LoginSecrets;
import dev.orloj.controllers.login.UserLogins;
import dev.orloj.controllers.mcpserver.McpServerControl;
import dev.orloj.controllers.mcpserver.SessionJournal;
import dev.orloj.controllers.mcpserver.definition.ServerDefaults;
import dev.orloj.controllers.namespace.NamespaceReconciler;
import dev.orloj.controllers.namespace.NamespaceTriggers;
import dev.orloj.controllers.pods.DeadReplicas;
import dev.orloj.controllers.pods.PodReconciler;
import dev.orloj.controllers.pods.ProcessLedger;
import dev.orloj.controllers.pods.ReplicaHeartbeat;
import dev.orloj.controllers.replica.Replica;
import dev.orloj.controllers.replica.ReplicaDirectory;
import dev.orloj.controllers.review.ServerReviews;
import dev.orloj.controllers.sandbox.SandboxReconciler;
import dev.orloj.controllers.sandbox.SandboxTriggers;
import dev.orloj.controllers.singleton.OwnerWatch;
import dev.orloj.controllers.singleton.SingletonElection;
import dev.orloj.controllers.workqueue.Workqueue;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.container.ContainerEngine;
import dev.orloj.runtime.container.SharedContainers;
import dev.orloj.runtime.oauth.AuthorizationCodeGrant;
import dev.orloj.runtime.session.SessionManager;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * Assembles all controllers of orlojd. Every replica follows the resources, so that its catalog is
 * complete. Only the leader acts on them. Created after the session manager, which reports to the
 * journal, and stopped before the session manager is closed.
 */
public final class ControlPlane {

    private static final Backoff BACKOFF =
            new Backoff(Duration.ofMillis(100), Duration.ofMinutes(5), 0.2);

    /** What may run is known before anything is offered to callers. */
    private static final List<Kind<?>> PREREQUISITES =
            List.of(McpServerPolicy.KIND, Namespace.KIND);

    private static final int COLLECTOR_WORKERS = 2;
    private static final int NAMESPACE_WORKERS = 2;
    private static final int POD_WORKERS = 2;
    private static final int SANDBOX_WORKERS = 4;
    private static final int TOOL_WORKERS = 2;

    private final ResourceClient client;
    private final LeaderElector elector;
    private final InstantSource clock;
    private final ControllerManager manager;
    private final List<Controller> controllers;
    private final Informer<McpServer> servers;
    private final CatalogFreshness catalogFreshness;
    private final ReplicaDirectory replicas;
    private final ServerReviews reviews;
    private final UserLogins logins;
    private volatile Consumer<String> sweepOfDead = replica -> {};

    public ControlPlane(
            ResourceClient client,
            ToolApprovals approvals,
            SessionManager sessions,
            ContainerEngine containers,
            SessionJournal journal,
            ContainerJournal containerJournal,
            ProcessLedger processes,
            ToolCatalog catalog,
            LeaderElector elector,
            AuthorizationCodeGrant grant,
            InstantSource clock,
            ControlSettings settings) {
        this.client = client;
        this.elector = elector;
        this.clock = clock;
        Informers informers = new Informers(client, followed());
        this.servers = informers.of(McpServer.KIND);
        informers.of(Tool.KIND).setTransform(new CompactTools());
        this.catalogFreshness = new CatalogFreshness(client, informers);
        LoginSecrets secrets = new LoginSecrets(client);
        McpServerControl control = serverControl(informers, settings, secrets);
        this.logins = new UserLogins(secrets, grant, control::loginTarget, clock);
        HttpToolControl httpTools = new HttpToolControl(informers, settings.secrets());
        // Installed before the other feed, which then decides last about a Tool that changes its
        // type.
        httpTools.feed(catalog);
        control.feed(catalog, sessions);
        endWhatIsUnwanted(informers, sessions, containers);
        Workqueue<ResourceKey> queue = queue();
        Reconciler reconciler =
                control.reconciler(
                        client,
                        sessions,
                        journal,
                        containerJournal,
                        queue,
                        logins::revoke,
                        approvals,
                        clock,
                        settings.resyncPeriod(),
                        processes.replica().id());
        List<Controller> controllers = new ArrayList<>(collectors(informers));
        controllers.add(namespaceController(informers));
        controllers.add(
                new Controller("mcpserver", queue, reconciler, elector, settings.workers()));
        controllers.add(sandboxController(informers, control, containers.shared()));
        controllers.add(toolController(httpTools));
        controllers.add(podController(servers, processes));
        this.reviews = reviews(control, sessions, containers);
        this.replicas = new ReplicaDirectory(processes.replica());
        informers.of(Lease.KIND).addHandler(replicas);
        controllers.add(heartbeat());
        controllers.add(deadReplicas());
        informers.of(Lease.KIND).addHandler(new OwnerWatch(sessions.singletons()));
        controllers.add(singletonElection(servers, sessions, processes.replica()));
        controllers.add(eventExpiry(settings.eventTtl()));
        this.controllers = List.copyOf(controllers);
        this.manager = new ControllerManager(informers, PREREQUISITES, controllers);
    }

    private static void endWhatIsUnwanted(
            Informers informers, SessionManager sessions, ContainerEngine containers) {
        informers.of(McpServer.KIND).addHandler(new UnwantedSessions(sessions, containers));
        informers.of(Sandbox.KIND).addHandler(new GoneSandboxes(containers));
    }

    private static McpServerControl serverControl(
            Informers informers, ControlSettings settings, LoginSecrets logins) {
        return new McpServerControl(
                informers,
                new ServerDefaults(
                        settings.startupTimeout(),
                        settings.shutdownGrace(),
                        settings.containers(),
                        settings.toolLists(),
                        settings.secrets(),
                        settings.users(),
                        logins::store));
    }

    private ServerReviews reviews(
            McpServerControl control, SessionManager sessions, ContainerEngine containers) {
        return control.reviews(
                sessions, image -> containers.declaration(image).isPresent(), this::ready, clock);
    }

    /** Leaves out Events, which have no owners and no dependents. */
    private static List<Kind<?>> followed() {
        return kinds(kind -> !kind.equals(Event.KIND));
    }

    private static List<Kind<?>> kinds(Predicate<Kind<?>> selection) {
        List<Kind<?>> kinds = new ArrayList<>();
        for (KindDescriptor<?> descriptor : Kinds.SCHEME.storedKinds()) {
            if (selection.test(descriptor.kind())) {
                kinds.add(descriptor.kind());
            }
        }
        return kinds;
    }

    private Workqueue<ResourceKey> queue() {
        // Each call draws from the generator of its own thread.
        RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();
        return new Workqueue<>(BACKOFF, clock, random);
    }

    /** Creates a controller with its own queue, to which its reconciler may add keys. */
    private Controller controller(
            String name,
            LeaderElector leadership,
            int workers,
            Function<Workqueue<ResourceKey>, Reconciler> reconciler) {
        Workqueue<ResourceKey> queue = queue();
        return new Controller(name, queue, reconciler.apply(queue), leadership, workers);
    }

    private List<Controller> collectors(Informers informers) {
        OwnerGraph graph = new OwnerGraph(client, Kinds.SCHEME, informers);
        List<Controller> collectors = new ArrayList<>();
        informers.all().forEach(informer -> collectors.add(collector(graph, informer)));
        return collectors;
    }

    private <R extends Resource> Controller collector(OwnerGraph graph, Informer<R> informer) {
        return controller(
                "collector-" + informer.kind().plural(),
                elector,
                COLLECTOR_WORKERS,
                queue -> new OwnerCollector<>(graph, informer, queue));
    }

    private Controller eventExpiry(Duration timeToLive) {
        return controller(
                "event-expiry",
                elector,
                1,
                queue -> new EventExpiry(client, clock, timeToLive, queue));
    }

    private Controller toolController(HttpToolControl httpTools) {
        return controller(
                "tool", elector, TOOL_WORKERS, queue -> httpTools.reconciler(client, clock, queue));
    }

    private Controller sandboxController(
            Informers informers, McpServerControl servers, SharedContainers shared) {
        Informer<Sandbox> sandboxes = informers.of(Sandbox.KIND);
        return controller(
                "sandbox",
                elector,
                SANDBOX_WORKERS,
                queue -> {
                    SandboxTriggers.install(
                            sandboxes,
                            servers.secrets(),
                            informers.of(McpServerPolicy.KIND),
                            informers.of(Namespace.KIND),
                            shared,
                            queue);
                    return new SandboxReconciler(
                            client,
                            key -> sandboxes.cache().find(key),
                            servers::resolve,
                            shared,
                            clock,
                            queue::add);
                });
    }

    /** Runs on every replica, whether it leads or not: each shows its own processes. */
    private Controller podController(Informer<McpServer> servers, ProcessLedger processes) {
        return controller(
                "pods",
                LeaderElector.ALWAYS,
                POD_WORKERS,
                queue -> new PodReconciler(client, servers, processes, queue));
    }

    private Controller heartbeat() {
        return controller(
                "replica-heartbeat",
                LeaderElector.ALWAYS,
                1,
                queue -> new ReplicaHeartbeat(client, replicas, clock, queue));
    }

    private Controller deadReplicas() {
        return controller(
                "dead-replicas",
                elector,
                1,
                queue ->
                        new DeadReplicas(
                                client, clock, replica -> sweepOfDead.accept(replica), queue));
    }

    /**
     * Makes the leader the replica that may open singletons, because it lists the tools of servers.
     */
    private Controller singletonElection(
            Informer<McpServer> servers, SessionManager sessions, Replica replica) {
        BooleanSupplier needed =
                () ->
                        servers.cache().list().stream()
                                .anyMatch(s -> s.spec().sharing().allowsOneSession());
        return controller(
                "singleton-election",
                elector,
                1,
                queue ->
                        new SingletonElection(
                                client,
                                replica,
                                sessions.singletons(),
                                needed,
                                clock,
                                System::nanoTime,
                                queue));
    }

    private Controller namespaceController(Informers informers) {
        // McpServers are first, so that they go before the Secrets they refer to. Events are last,
        // because they describe the other deletions.
        List<Kind<?>> content =
                kinds(
                        kind ->
                                kind.namespaced()
                                        && !kind.equals(McpServer.KIND)
                                        && !kind.equals(Event.KIND));
        content.addFirst(McpServer.KIND);
        content.addLast(Event.KIND);
        return controller(
                "namespace",
                elector,
                NAMESPACE_WORKERS,
                queue -> {
                    NamespaceTriggers.install(informers, queue);
                    return new NamespaceReconciler(client, content, clock);
                });
    }

    /** Returns all controllers, each with its queue. */
    public List<Controller> controllers() {
        return controllers;
    }

    /** Returns the servers in the cache. */
    public List<McpServer> servers() {
        return servers.cache().list();
    }

    /** Returns how far the catalog follows the store. */
    public CatalogFreshness catalogFreshness() {
        return catalogFreshness;
    }

    /** Returns the reviews of manifests and servers. */
    public ServerReviews reviews() {
        return reviews;
    }

    /** Returns the logins of users at the authorization servers of MCP servers. */
    public UserLogins logins() {
        return logins;
    }

    /** Returns the directory of the addresses of the replicas. */
    public ReplicaDirectory replicas() {
        return replicas;
    }

    /**
     * Sets what removes the Pods that a dead replica left in a cluster. Called before {@link
     * #start}.
     */
    public void onDeadReplica(Consumer<String> sweep) {
        sweepOfDead = sweep;
    }

    /** Returns immediately. {@link #ready} returns true when everything runs. */
    public void start() {
        manager.start();
    }

    /** Returns when the caches have synced with the store and the controllers run. */
    public void awaitReady() throws InterruptedException {
        manager.awaitReady();
    }

    /** Returns whether the caches have synced with the store and the controllers run. */
    public boolean ready() {
        return manager.ready();
    }

    /** Returns when all controllers have stopped. The sessions stay open. */
    public void stop() throws InterruptedException {
        manager.stop();
    }
}
