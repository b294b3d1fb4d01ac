package dev.orloj.server.postgres;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** One running PostgreSQL server process. */
final class Postmaster {

    /**
     * Starts every server. The kernel treats the end of the starting thread as the death of the
     * parent, so this thread never ends.
     */
    private static final ExecutorService SPAWNER =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().daemon().name("orloj-postgres-spawner").factory());

    /**
     * Recovery of much unwritten data may take this long. A server that dies is detected at once.
     */
    private static final Duration START_TIMEOUT = Duration.ofMinutes(5);

    private static final Duration SLOW_START = Duration.ofSeconds(5);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(5);
    private static final int LOG_LINES = 20;

    private static final List<String> SETTINGS =
            List.of(
                    "listen_addresses=127.0.0.1",
                    "unix_socket_directories=",
                    "shared_buffers=64MB",
                    "max_wal_size=512MB",
                    "wal_level=minimal",
                    "max_wal_senders=0",
                    "recovery_init_sync_method=syncfs",
                    "io_method=sync",
                    "jit=off",
                    "timezone=UTC",
                    "log_timezone=UTC",
                    "log_checkpoints=off");

    private final Process process;
    private final Path data;
    private final Path log;
    private final int port;

    private Postmaster(Process process, Path data, Path log, int port) {
        this.process = process;
        this.data = data;
        this.log = log;
        this.port = port;
    }

    /**
     * Starts a server and waits until it accepts connections.
     *
     * @param log receives the output of the server; the log of the previous start is kept beside it
     * @throws EmbeddedPostgresException with the end of the log when the server does not start
     */
    static Postmaster start(
            PostgresBinaries binaries,
            ServerAccount account,
            Path data,
            Path log,
            int port,
            int maxConnections,
            Consumer<String> progress)
            throws IOException, InterruptedException {
        List<String> program = new ArrayList<>();
        program.addAll(
                List.of(
                        binaries.program("postgres").toString(),
                        "-D",
                        data.toString(),
                        "-p",
                        Integer.toString(port),
                        "-c",
                        "max_connections=" + maxConnections));
        for (String setting : SETTINGS) {
            program.addAll(List.of("-c", setting));
        }
        if (Files.exists(log)) {
            PosixAccess.hideFromOthers(log);
            Files.move(
                    log,
                    log.resolveSibling(log.getFileName() + ".previous"),
                    StandardCopyOption.REPLACE_EXISTING);
        }
        Files.createFile(log, PosixAccess.OWNER_ONLY_FILE);
        ProcessBuilder builder =
                new ProcessBuilder(account.commandDyingWithUs(program))
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile());
        ServerEnvironment.apply(builder);
        Postmaster postmaster = new Postmaster(spawn(builder), data, log, port);
        postmaster.awaitReady(progress);
        return postmaster;
    }

    private static Process spawn(ProcessBuilder builder) throws IOException, InterruptedException {
        try {
            return SPAWNER.submit(builder::start).get();
        } catch (ExecutionException e) {
            throw new IOException("PostgreSQL could not be started", e.getCause());
        }
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void awaitReady(Consumer<String> progress) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        long deadline = begin + START_TIMEOUT.toNanos();
        boolean isSlow = false;
        while (!isReady()) {
            if (!isSlow && System.nanoTime() - begin > SLOW_START.toNanos()) {
                isSlow = true;
                progress.accept(
                        "waiting for PostgreSQL, which recovers what an unclean stop left (log: \"%s\")"
                                .formatted(log));
            }
            if (process.waitFor(POLL)) {
                throw new EmbeddedPostgresException(
                        "PostgreSQL ended with code %d while it started; the end of \"%s\":%n%s"
                                .formatted(process.exitValue(), log, logTail()));
            }
            if (System.nanoTime() > deadline) {
                process.destroy();
                throw new EmbeddedPostgresException(
                        "PostgreSQL was not ready after %s; the end of \"%s\":%n%s"
                                .formatted(START_TIMEOUT, log, logTail()));
            }
        }
    }

    private boolean isReady() throws IOException {
        return PostmasterFile.read(data)
                .filter(file -> file.pid() == process.pid())
                .filter(file -> file.status().equals("ready"))
                .isPresent();
    }

    /** Shuts the server down cleanly and returns when its process is gone. */
    void stop() throws IOException, InterruptedException {
        if (process.isAlive()) {
            interrupt(process.pid());
            if (!process.waitFor(STOP_TIMEOUT)) {
                process.destroyForcibly().waitFor();
            }
        }
    }

    /**
     * Waits for a server that an earlier orlojd left on the data, and stops it unless it is already
     * stopping. Removes a lock file only when another program now has its pid; PostgreSQL itself
     * judges all other cases.
     */
    static void awaitNoneOn(Path data) throws IOException, InterruptedException {
        Optional<PostmasterFile> left = PostmasterFile.read(data);
        if (left.isEmpty()) {
            return;
        }
        PostmasterFile old = left.get();
        Optional<ProcessHandle> handle = ProcessHandle.of(old.pid());
        if (handle.isEmpty()) {
            return;
        }
        if (!old.serves(data)) {
            Files.deleteIfExists(PostmasterFile.path(data));
            return;
        }
        interrupt(old.pid());
        long deadline = System.nanoTime() + STOP_TIMEOUT.toNanos();
        CompletableFuture<ProcessHandle> end = handle.get().onExit();
        while (old.serves(data)) {
            if (System.nanoTime() > deadline) {
                throw new EmbeddedPostgresException(
                        "PostgreSQL with pid %d still runs on \"%s\" and does not end: end it"
                                .formatted(old.pid(), data));
            }
            try {
                end.get(POLL.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException | ExecutionException e) {
                // Checked again above: for the JDK, a process that is never reaped never ends.
            }
        }
    }

    /**
     * Sends SIGINT: the server refuses new clients, disconnects the others, writes everything and
     * exits.
     */
    private static void interrupt(long pid) throws IOException, InterruptedException {
        // The JDK cannot send this signal; a shell always can.
        new ProcessBuilder("sh", "-c", "kill -INT " + pid)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    String logTail() throws IOException {
        List<String> lines = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
        return String.join(
                "\n", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
    }

    int port() {
        return port;
    }

    long pid() {
        return process.pid();
    }

    CompletableFuture<Process> onExit() {
        return process.onExit();
    }
}
