package dev.orloj.runtime.workload;

import dev.orloj.api.Frozen;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Starts host processes and tracks the running ones, so that all are stopped when orlojd stops.
 * Thread-safe.
 *
 * <p>One thread, which lives as long as the supervisor, starts all children: Linux ties "dies with
 * its parent" to the thread that started the child, so a child of a pooled thread would be killed
 * when the pool shrinks.
 */
public final class Supervisor implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Supervisor.class);
    private static final Duration SHUTDOWN_GRACE = Duration.ofSeconds(2);

    private final Map<String, String> ownEnvironment;
    private final String owner;
    private final long ownPid = ProcessHandle.current().pid();
    private final long ownStartTime = Math.max(0, MarkedProcesses.startTime(ownPid));
    private final AtomicLong starts = new AtomicLong();
    private final ShutdownBudget shutdownBudget = new ShutdownBudget();
    private final ExecutorService spawner =
            Executors.newFixedThreadPool(
                    1, Thread.ofPlatform().daemon().name("orloj-spawner").factory());
    private final Set<HostProcess> alive = ConcurrentHashMap.newKeySet();
    private volatile boolean closed = false;

    /** Accessed by the spawner thread only. */
    private @Nullable Confinement confinement;

    /** For processes of other users. Accessed by the spawner thread only. */
    private @Nullable Confinement foreignConfinement;

    /** Creates a supervisor without an owner: no later supervisor can sweep its processes. */
    public Supervisor() {
        this(UUID.randomUUID().toString());
    }

    /**
     * @param owner the replica that the children belong to, unchanged after a restart; letters,
     *     digits, dots and hyphens
     */
    public Supervisor(String owner) {
        this(owner, System.getenv(), null);
    }

    /**
     * @param ownEnvironment replaces the environment of orlojd, of which children get a few
     *     variables
     * @param confinement null for the best kind that this host allows
     */
    Supervisor(
            String owner, Map<String, String> ownEnvironment, @Nullable Confinement confinement) {
        this(owner, ownEnvironment, confinement, null);
    }

    /**
     * @param foreignConfinement for processes of other users; null for the best kind
     */
    Supervisor(
            String owner,
            Map<String, String> ownEnvironment,
            @Nullable Confinement confinement,
            @Nullable Confinement foreignConfinement) {
        this.owner = owner;
        this.ownEnvironment = Frozen.map(ownEnvironment);
        this.confinement = confinement;
        this.foreignConfinement = foreignConfinement;
    }

    /**
     * Kills the processes that an orlojd of the same owner left behind when it died. Processes of a
     * running orlojd are not affected. Must be called before the first start.
     */
    public void sweep() {
        int killed = MarkedProcesses.kill(this::isLeftBehind);
        if (killed > 0) {
            log.atWarn()
                    .addKeyValue("processes", killed)
                    .addKeyValue("owner", owner)
                    .log("Killed processes that an orlojd left behind when it died");
        }
    }

    /**
     * Makes the accounts ready: empties their folders for temporary files. Must be called after
     * {@link #sweep()} and before the first start.
     *
     * @throws WorkloadException when no process can run under one of them
     */
    public void prepare(ProcessUsers users) throws InterruptedException {
        for (ProcessUser user : users.all()) {
            user.prepare(owner);
        }
    }

    private boolean isLeftBehind(ProcessMarker marker) {
        return marker.owner().equals(owner)
                && MarkedProcesses.startTime(marker.pid()) != marker.startTime();
    }

    /**
     * Starts a program with a clean environment, in its own session and process group and, where
     * the host allows it, in its own pid namespace.
     *
     * @param command the program, resolved on the PATH of the child, and its arguments
     * @param environment variables in addition to PATH, HOME, USER, TMPDIR and the locale
     * @throws WorkloadException when the program cannot be started
     */
    public HostProcess start(List<String> command, Map<String, String> environment)
            throws InterruptedException {
        return start(command, environment, Optional.empty());
    }

    /**
     * Like {@link #start(List, Map)}, as another user: with the rights of its account and no way to
     * those of orlojd, in the home of the account.
     *
     * @param user empty for the user of orlojd
     */
    public HostProcess start(
            List<String> command, Map<String, String> environment, Optional<ProcessUser> user)
            throws InterruptedException {
        ChildEnvironment child =
                ChildEnvironment.of(
                        ownEnvironment,
                        user.map(account -> account.variables(owner)).orElse(Map.of()),
                        environment);
        List<String> resolved = new ArrayList<>(command);
        resolved.set(0, child.executable(command.getFirst(), user).toString());
        Callable<HostProcess> spawning =
                user.<Callable<HostProcess>>map(
                                account -> {
                                    Map<String, String> carriers =
                                            account.carriers(child.variables());
                                    List<String> line =
                                            account.command(child.variables().size(), resolved);
                                    return () ->
                                            spawn(
                                                    foreign().around(line),
                                                    foreign().kind(),
                                                    carriers);
                                })
                        .orElse(
                                () ->
                                        spawn(
                                                own().around(resolved),
                                                own().kind(),
                                                child.variables()));
        FutureTask<HostProcess> task = new FutureTask<>(spawning);
        try {
            spawner.execute(task);
            return task.get();
        } catch (InterruptedException e) {
            Workload.abandon(task);
            throw e;
        } catch (RejectedExecutionException e) {
            throw stopping();
        } catch (ExecutionException e) {
            throw new WorkloadException(
                    "Command \""
                            + command.getFirst()
                            + "\" could not be started: "
                            + Objects.requireNonNull(e.getCause()).getMessage(),
                    e.getCause());
        }
    }

    /** Returns the processes that were started and have not ended. */
    public Set<HostProcess> alive() {
        return Frozen.set(alive);
    }

    /**
     * Limits the grace of every stop from now on: the time after stdin is closed, and the time
     * after SIGTERM, regardless of the server's own grace. Also applies to processes that are being
     * stopped.
     */
    public void hurry(Duration mostGrace) {
        shutdownBudget.atMost(mostGrace);
    }

    /** Kills all processes without a grace. Returns at once. */
    public void abandonAll() {
        shutdownBudget.atMost(Duration.ZERO);
        alive().forEach(
                        process ->
                                Thread.ofVirtual()
                                        .name("orloj-kill")
                                        .start(() -> process.stop(Duration.ZERO)));
    }

    /** Stops all processes concurrently, and starts no more. */
    @Override
    public void close() {
        closed = true;
        if (!spawner.isShutdown()) {
            // Runs after the last start that was accepted.
            CompletableFuture.runAsync(() -> {}, spawner).join();
        }
        try (ExecutorService stoppers = Executors.newVirtualThreadPerTaskExecutor()) {
            alive().forEach(process -> stoppers.execute(() -> process.stop(SHUTDOWN_GRACE)));
        }
        // Not earlier: the end of this thread kills the children that it started.
        spawner.shutdown();
    }

    private Confinement own() {
        if (confinement == null) {
            confinement = Confinement.probe();
        }
        return confinement;
    }

    private Confinement foreign() {
        if (foreignConfinement == null) {
            foreignConfinement = Confinement.probeForOthers();
        }
        return foreignConfinement;
    }

    private HostProcess spawn(
            List<String> command, Confinement.Kind kind, Map<String, String> environment)
            throws IOException {
        if (closed) {
            throw stopping();
        }
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().clear();
        builder.environment().putAll(environment);
        ProcessMarker marker =
                new ProcessMarker(owner, ownPid, ownStartTime, starts.incrementAndGet());
        builder.environment().put(ProcessMarker.VARIABLE, marker.text());
        HostProcess process = new HostProcess(builder.start(), kind, marker, shutdownBudget);
        alive.add(process);
        process.exit().thenRun(() -> alive.remove(process));
        return process;
    }

    private static WorkloadException stopping() {
        return new WorkloadException("no program is started while orlojd stops");
    }
}
