package dev.orloj.runtime.container;

import dev.orloj.api.Frozen;
import dev.orloj.runtime.container.engine.EngineCommands;
import dev.orloj.runtime.container.engine.EngineConnection;
import dev.orloj.runtime.container.engine.EngineEvents;
import dev.orloj.runtime.container.engine.EngineRecovery;
import dev.orloj.runtime.container.engine.EngineSettings;
import dev.orloj.runtime.container.image.ContainerImages;
import dev.orloj.runtime.container.image.ImageDeclaration;
import dev.orloj.runtime.container.init.HostInit;
import dev.orloj.runtime.container.network.IsolatedNetworks;
import dev.orloj.runtime.container.secret.SecretFiles;
import dev.orloj.runtime.container.spec.ContainerGoneException;
import dev.orloj.runtime.container.spec.ContainerLabels;
import dev.orloj.runtime.container.spec.ContainerListener;
import dev.orloj.runtime.container.spec.ContainerOwner;
import dev.orloj.runtime.container.spec.ContainerSpec;
import dev.orloj.runtime.container.spec.ExecTarget;
import dev.orloj.runtime.container.spec.SharedContainer;
import dev.orloj.runtime.network.EgressProxy;
import dev.orloj.runtime.network.NameServers;
import dev.orloj.runtime.workload.PendingStarts;
import dev.orloj.runtime.workload.ProcessIdentity;
import dev.orloj.runtime.workload.ShutdownBudget;
import dev.orloj.runtime.workload.Workload;
import dev.orloj.runtime.workload.WorkloadException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Starts containers and tracks the running ones, so that all are stopped when orlojd stops.
 * Connects to its engine when the first container is requested. Thread-safe.
 */
public final class ContainerEngine implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ContainerEngine.class);
    private static final Duration SHUTDOWN_GRACE = Duration.ofSeconds(2);

    /**
     * Maximum wait for pending starts at shutdown; the sweep of the next start removes the rest.
     */
    private static final Duration MAX_STARTING = Duration.ofSeconds(5);

    private final EngineConnection connection;
    private final IsolatedNetworks networks;
    private final EngineEvents events;
    private final EngineRecovery recovery;
    private final ContainerImages images;
    private final ContainerStarter starter;
    private final ContainerInspector inspector;
    private final ContainerSweep containerSweep;
    private final SecretFiles secretFiles;
    private final ShutdownBudget shutdownBudget = new ShutdownBudget();
    private final SharedContainers shared =
            new SharedContainers(this::startShared, InstantSource.system());
    private final ContainerExecs execs;
    private final PendingStarts<DockerContainer> starting = new PendingStarts<>();
    private final Set<DockerContainer> alive = ConcurrentHashMap.newKeySet();
    private volatile boolean swept = false;
    private volatile boolean closed = false;

    /**
     * @param listener receives events of images and containers
     */
    public ContainerEngine(EngineSettings settings, ContainerListener listener) {
        this(settings, listener, HostInit.PLACES);
    }

    /**
     * @param initPlaces possible paths of an init on this host, for an engine without one
     */
    ContainerEngine(EngineSettings settings, ContainerListener listener, List<Path> initPlaces) {
        ContainerLabels labels =
                new ContainerLabels(settings.replica(), ProcessIdentity.own().toString());
        this.connection = new EngineConnection(settings.host());
        this.execs = new ContainerExecs(connection, shutdownBudget);
        this.networks =
                new IsolatedNetworks(
                        connection, labels, NameServers::ofHost, EgressProxy.Resolver.OF_HOST);
        this.events = new EngineEvents(connection, labels.ofReplica(), this::engineIsLost);
        EngineCommands commands = new EngineCommands(connection, events);
        this.recovery = new EngineRecovery(connection, events, commands, this::sweepContainers);
        this.secretFiles = new SecretFiles(SecretFiles.place(System.getenv()), labels);
        this.containerSweep = new ContainerSweep(connection, commands, labels, events::isWatched);
        this.images = new ContainerImages(connection, listener);
        this.starter =
                new ContainerStarter(
                        connection,
                        events,
                        commands,
                        images,
                        secretFiles,
                        networks,
                        labels,
                        shutdownBudget,
                        this::requireOpen,
                        initPlaces);
        this.inspector = new ContainerInspector(connection, listener);
    }

    /**
     * Removes what an orlojd of the same replica left behind when it died: secrets before this
     * method returns, containers soon after. If no engine is available now, the containers are
     * removed before the first container is started.
     */
    public void sweep() {
        secretFiles.sweep();
        Thread.ofVirtual()
                .name("orloj-container-sweep")
                .start(
                        () -> {
                            try {
                                sweepContainers();
                            } catch (WorkloadException e) {
                                log.atDebug()
                                        .addKeyValue("error", e.getMessage())
                                        .log("There is no container engine to be swept");
                            }
                        });
    }

    /**
     * Starts the recovery of a lost engine: failed commands have to be repeated, and missed events
     * have to be determined.
     */
    private void engineIsLost() {
        swept = false;
        recovery.begin();
    }

    private synchronized void sweepContainers() {
        if (!swept) {
            containerSweep.run();
            networks.sweep();
            swept = true;
        }
    }

    /**
     * Starts a container and returns once its program runs.
     *
     * @throws WorkloadException when the container cannot be started; nothing is left of it
     */
    public DockerContainer start(ContainerSpec spec) throws InterruptedException {
        return starting.run(
                "orloj-start-" + spec.owner().server(), spec.image().name(), () -> launch(spec));
    }

    private SharedContainer startShared(ContainerSpec spec, ContainerListener progress)
            throws InterruptedException {
        return new SandboxContainer(start(spec), execs);
    }

    /**
     * Runs a program in a container that exists or is started for it.
     *
     * @throws ContainerGoneException when the container is not managed by orlojd and is not running
     * @throws WorkloadException when the program cannot be started
     */
    public Workload exec(ExecTarget target, List<String> command, Map<String, String> env)
            throws InterruptedException {
        requireOpen();
        return switch (target) {
            case ExecTarget.Borrowed(String container) -> execs.start(container, command, env);
            case ExecTarget.Managed managed -> shared.exec(managed, command, env);
        };
    }

    /**
     * Returns the declaration of an image on this host; empty when the image is not on this host.
     *
     * @throws WorkloadException when the declaration is not valid, or the engine does not respond
     */
    public Optional<ImageDeclaration> declaration(String image) {
        return images.find(image).map(ImageDeclaration::of);
    }

    /** Returns the containers that several programs share. */
    public SharedContainers shared() {
        return shared;
    }

    /** Removes the network of a deleted owner, once its containers have ended. */
    public void forget(ContainerOwner owner) {
        Thread.ofVirtual()
                .name("orloj-forget-" + owner.server())
                .start(() -> networks.remove(owner));
    }

    /** Returns the containers that were started and are not completely removed. */
    public Set<DockerContainer> alive() {
        return Frozen.set(alive);
    }

    /**
     * Limits the grace of every stop from now on: the time after stdin is closed, and the time
     * after SIGTERM, regardless of the server's own grace. Also applies to containers that are
     * being stopped.
     */
    public void hurry(Duration mostGrace) {
        shutdownBudget.atMost(mostGrace);
    }

    /** Kills all containers without a grace. Returns at once. */
    public void abandonAll() {
        shutdownBudget.atMost(Duration.ZERO);
        execs.abandonAll();
        alive().forEach(ContainerEngine::kill);
    }

    /** Stops all containers concurrently, and starts no more. */
    @Override
    public void close() {
        closed = true;
        execs.close();
        // A start that finds the engine closed stops its own container.
        if (!starting.await(MAX_STARTING)) {
            log.atWarn().log("Containers are still being started when orlojd ends");
        }
        try (ExecutorService stoppers = Executors.newVirtualThreadPerTaskExecutor()) {
            alive().forEach(container -> stoppers.execute(() -> container.stop(SHUTDOWN_GRACE)));
        }
        networks.close();
        recovery.close();
        events.close();
        connection.close();
        secretFiles.close();
    }

    private DockerContainer launch(ContainerSpec spec) throws InterruptedException {
        requireOpen();
        sweepContainers();
        DockerContainer container = starter.start(spec);
        alive.add(container);
        container.removed().thenRun(() -> alive.remove(container));
        notifyOwner(container, spec.owner());
        inspector.inspect(container);
        container
                .removed()
                .thenRunAsync(networks::removeAbandoned, ContainerEngine::onVirtualThread);
        if (closed) {
            container.stop(Duration.ZERO);
            requireOpen();
        }
        return container;
    }

    private static void notifyOwner(DockerContainer container, ContainerOwner owner) {
        log.atInfo()
                .addKeyValue("container", container.name())
                .addKeyValue("containerId", container.id())
                .addKeyValue("namespace", owner.namespace())
                .addKeyValue("owner", owner.server())
                .log("Container started");
        container
                .exit()
                .thenAccept(
                        exit ->
                                log.atInfo()
                                        .addKeyValue("container", container.name())
                                        .addKeyValue("containerId", container.id())
                                        .addKeyValue("exit", exit)
                                        .log("Container ended"));
    }

    private static void onVirtualThread(Runnable work) {
        Thread.ofVirtual().name("orloj-container-end").start(work);
    }

    private void requireOpen() {
        if (closed) {
            throw new WorkloadException("no container is started while orlojd stops");
        }
    }

    private static void kill(DockerContainer container) {
        Thread.ofVirtual().name("orloj-kill").start(() -> container.stop(Duration.ZERO));
    }
}
