package dev.orloj.server.postgres;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Runs an embedded PostgreSQL server: real programs and a persistent directory, accessible only
 * from this machine and only with a password. The server ends with orlojd, even when orlojd is
 * killed, and restarts when it dies alone. All durability settings stay on.
 *
 * <p>{@link #start} may run beside other work; call the other methods only after it returns. Safe
 * for use by many threads.
 */
public final class EmbeddedPostgres implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(EmbeddedPostgres.class);

    private static final int START_ATTEMPTS = 20;

    /** Enough for one orlojd and the tools of its administrator; each takes memory. */
    private static final int MAX_CONNECTIONS = 60;

    private final Path directory;
    private final int maxConnections;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable Running running;

    /** Acquired before the start; part of {@link #running} after it. */
    @GuardedBy("lock")
    private @Nullable DirectoryLock reserved;

    private final Consumer<String> progress;

    /** Holds everything that belongs to a started server. */
    private record Running(
            DirectoryLock directoryLock,
            PostgresBinaries binaries,
            ServerAccount account,
            DatabaseCluster cluster,
            Postmaster postmaster) {

        Running with(Postmaster successor) {
            return new Running(directoryLock, binaries, account, cluster, successor);
        }
    }

    /**
     * @param directory created when missing; holds programs, data, password and log
     */
    public EmbeddedPostgres(Path directory) {
        this(directory, step -> {});
    }

    /**
     * @param directory created when missing; holds programs, data, password and log
     * @param progress receives a sentence for each slow step of the start
     */
    public EmbeddedPostgres(Path directory, Consumer<String> progress) {
        this(directory, MAX_CONNECTIONS, progress);
    }

    /**
     * @param directory created when missing; holds programs, data, password and log
     * @param maxConnections of all clients together
     * @param progress receives a sentence for each slow step of the start
     */
    public EmbeddedPostgres(Path directory, int maxConnections, Consumer<String> progress) {
        this.directory = directory.toAbsolutePath().normalize();
        this.maxConnections = maxConnections;
        this.progress = progress;
    }

    /**
     * Locks the directory ahead of {@link #start}, which otherwise does so.
     *
     * @throws DirectoryInUseException when another process holds it
     * @throws EmbeddedPostgresException when it cannot be used
     */
    public void reserve() {
        lock.lock();
        try {
            reserved = takeDirectory();
        } catch (IOException e) {
            throw unusable(e);
        } finally {
            lock.unlock();
        }
    }

    private DirectoryLock takeDirectory() throws IOException {
        if (!Files.exists(directory)) {
            Files.createDirectories(directory);
            PosixAccess.openToAll(directory);
        }
        return DirectoryLock.acquire(directory);
    }

    private EmbeddedPostgresException unusable(IOException e) {
        return FreeSpace.explain(
                new EmbeddedPostgresException(
                        "PostgreSQL could not be started in \"%s\": %s; choose another --data-dir, or give --database-url"
                                .formatted(directory, reason(e)),
                        e),
                directory);
    }

    private static String reason(IOException e) {
        return switch (e) {
            case AccessDeniedException denied ->
                    "permission denied for \"" + denied.getFile() + "\"";
            case NotDirectoryException file -> "\"" + file.getFile() + "\" is no directory";
            case FileAlreadyExistsException file -> "\"" + file.getFile() + "\" is no directory";
            case NoSuchFileException missing -> "\"" + missing.getFile() + "\" cannot be made";
            default -> String.valueOf(e.getMessage());
        };
    }

    /**
     * Starts the server and returns when it accepts connections. The first start also unpacks the
     * programs and creates the cluster.
     *
     * @throws EmbeddedPostgresException with the cause and the remedy
     */
    public void start() throws InterruptedException {
        lock.lock();
        try {
            if (running != null) {
                throw new IllegalStateException("PostgreSQL in " + directory + " is started");
            }
            running = launch();
        } catch (IOException e) {
            throw unusable(e);
        } catch (EmbeddedPostgresException e) {
            throw FreeSpace.explain(e, directory);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private Running launch() throws IOException, InterruptedException {
        DirectoryLock directoryLock = reserved == null ? takeDirectory() : reserved;
        reserved = null;
        try {
            PostgresBinaries binaries =
                    PostgresBinaries.unpack(
                            directory,
                            System.getProperty("os.name", ""),
                            System.getProperty("os.arch", ""),
                            progress);
            ServerAccount account = ServerAccount.forDirectory(directory);
            DatabaseCluster cluster = DatabaseCluster.open(directory, binaries, account, progress);
            Postmaster.awaitNoneOn(cluster.data());
            account.own(cluster.data());
            Postmaster postmaster = startServer(binaries, account, cluster, 0);
            Running started = new Running(directoryLock, binaries, account, cluster, postmaster);
            watch(postmaster);
            return started;
        } catch (IOException | InterruptedException | RuntimeException e) {
            directoryLock.close();
            throw e;
        }
    }

    /**
     * @param wantedPort 0 for any free port
     */
    private Postmaster startServer(
            PostgresBinaries binaries,
            ServerAccount account,
            DatabaseCluster cluster,
            int wantedPort)
            throws IOException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            int port = wantedPort == 0 ? Postmaster.freePort() : wantedPort;
            try {
                return Postmaster.start(
                        binaries,
                        account,
                        cluster.data(),
                        logFile(),
                        port,
                        maxConnections,
                        progress);
            } catch (EmbeddedPostgresException e) {
                if (attempt == START_ATTEMPTS || !passes(e)) {
                    throw e;
                }
                Postmaster.awaitNoneOn(cluster.data());
            }
        }
    }

    /**
     * Returns whether another attempt may succeed: another process took the port after it was found
     * free, the last processes of a killed server have not exited yet, or the number of that server
     * was given to another process, or to a thread of this one, after the lock file was read. In a
     * container, whose numbers begin anew, that happens at each start.
     */
    private static boolean passes(EmbeddedPostgresException failure) {
        String message = String.valueOf(failure.getMessage());
        return message.contains("could not bind")
                || message.contains("lock file \"postmaster.pid\" already exists")
                || message.contains("pre-existing shared memory block");
    }

    private void watch(Postmaster postmaster) {
        postmaster.onExit().thenRunAsync(() -> revive(postmaster), Thread::startVirtualThread);
    }

    /** Restarts a server that died, on the same port, so that clients can simply reconnect. */
    private void revive(Postmaster dead) {
        lock.lock();
        try {
            Running before = running;
            if (before == null || before.postmaster() != dead) {
                return;
            }
            log.atWarn()
                    .addKeyValue("pid", dead.pid())
                    .addKeyValue("log", logFile())
                    .log("PostgreSQL died, starting it again");
            Postmaster successor =
                    startServer(before.binaries(), before.account(), before.cluster(), dead.port());
            running = before.with(successor);
            watch(successor);
        } catch (IOException | InterruptedException | RuntimeException e) {
            log.atError().setCause(e).log("PostgreSQL died and could not be started again");
        } finally {
            lock.unlock();
        }
    }

    /**
     * Shuts the server down cleanly; returns when its process is gone. Does nothing when not
     * started.
     */
    @Override
    public void close() {
        lock.lock();
        try {
            DirectoryLock taken = reserved;
            if (taken != null) {
                reserved = null;
                taken.close();
            }
            Running stopping = running;
            if (stopping == null) {
                return;
            }
            running = null;
            try {
                stopping.postmaster().stop();
            } finally {
                stopping.directoryLock().close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** Changes with every {@link #start}. */
    public String jdbcUrl() {
        return "jdbc:postgresql://127.0.0.1:%d/postgres".formatted(started().postmaster().port());
    }

    public String user() {
        return DatabaseCluster.USER;
    }

    public String password() {
        return started().cluster().password();
    }

    /** Returns the process id of the server. */
    long pid() {
        return started().postmaster().pid();
    }

    private Path logFile() {
        return directory.resolve("postgres.log");
    }

    private Running started() {
        lock.lock();
        try {
            if (running == null) {
                throw new IllegalStateException("PostgreSQL in " + directory + " is not started");
            }
            return running;
        } finally {
            lock.unlock();
        }
    }
}
