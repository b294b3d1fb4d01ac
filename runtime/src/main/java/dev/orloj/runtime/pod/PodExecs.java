package dev.orloj.runtime.pod;

import dev.orloj.api.Frozen;
import dev.orloj.runtime.cluster.ClusterException;
import dev.orloj.runtime.container.spec.ExecMarker;
import dev.orloj.runtime.workload.ShutdownBudget;
import dev.orloj.runtime.workload.Workload;
import dev.orloj.runtime.workload.WorkloadException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs programs in running Pods and tracks them. Thread-safe. */
final class PodExecs implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(PodExecs.class);
    private static final Duration SHUTDOWN_GRACE = Duration.ofSeconds(2);
    private static final Duration START_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration KILL_TIMEOUT = Duration.ofSeconds(5);

    /** How long the end of a program that did not start may take to be reported. */
    private static final Duration END_TIMEOUT = Duration.ofSeconds(5);

    /** Maximum length of the first line, and of what a message has of stderr. */
    private static final int MAX_WORDS = 500;

    private final ClusterApi api;
    private final ShutdownBudget shutdownBudget;
    private final Set<PodExec> alive = ConcurrentHashMap.newKeySet();

    PodExecs(ClusterApi api, ShutdownBudget shutdownBudget) {
        this.api = api;
        this.shutdownBudget = shutdownBudget;
    }

    /**
     * Requires {@code sh} in the image, and {@code cat} to kill the program.
     *
     * @throws WorkloadException when the program cannot be started; nothing is left of it
     */
    Workload start(ServerPod pod, List<String> command, Map<String, String> env)
            throws InterruptedException {
        ExecMarker marker = ExecMarker.random();
        byte[] input = ExecScript.input(marker, command, env);
        PodStreams streams = api.exec(pod.name(), ExecScript.command(marker));
        PodExec exec = new PodExec(pod, streams, () -> kill(pod, marker), shutdownBudget);
        alive.add(exec);
        exec.exit().thenRun(() -> alive.remove(exec));
        boolean started = false;
        try {
            requireStart(exec, pod, command.getFirst(), marker, input);
            started = true;
            return exec;
        } finally {
            if (!started) {
                stop(exec, Duration.ZERO);
            }
        }
    }

    /** Hands over the variables and the command, and waits for the confirmation. */
    private static void requireStart(
            PodExec exec, ServerPod pod, String program, ExecMarker marker, byte[] input)
            throws InterruptedException {
        FutureTask<String> start =
                new FutureTask<>(
                        () -> {
                            exec.stdin().write(input);
                            exec.stdin().flush();
                            return firstLine(exec.stdout());
                        });
        Thread.ofVirtual().name("orloj-exec-start").start(start);
        String why;
        try {
            String line = start.get(START_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            if (line.equals(marker.variable())) {
                return;
            }
            why = line.isEmpty() ? end(exec) : "the shell wrote \"" + line + "\"";
        } catch (TimeoutException e) {
            why = "the shell does not answer within " + START_TIMEOUT.toSeconds() + " s";
        } catch (ExecutionException e) {
            why = end(exec);
        }
        throw new WorkloadException(
                "Command \"%s\" could not be run in Pod \"%s\": %s"
                        .formatted(program, pod.name(), why));
    }

    private static String firstLine(InputStream output) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = output.read(); next >= 0 && next != '\n'; next = output.read()) {
            line.append((char) next);
            if (line.length() == MAX_WORDS) {
                break;
            }
        }
        return line.toString();
    }

    /** Explains the end of a shell that has not started the program. */
    private static String end(PodExec exec) {
        if (!ShutdownBudget.completes(exec.exit(), END_TIMEOUT)) {
            return "its connection was closed";
        }
        String failure = exec.outcome().failure();
        if (!failure.isEmpty()) {
            return failure + "; the image of a Sandbox that runs in a Pod needs sh and cat";
        }
        return "the shell ended with " + exec.exit().join() + lastWords(exec);
    }

    private static String lastWords(PodExec exec) {
        try {
            byte[] words = exec.stderr().readNBytes(MAX_WORDS);
            String text = new String(words, StandardCharsets.UTF_8).strip();
            return text.isEmpty() ? "" : ": " + text;
        } catch (IOException e) {
            return "";
        }
    }

    /**
     * Kills the processes with the marker, and returns when they are dead or cannot be killed. The
     * API server can end a Pod, but not a single program in it.
     */
    private void kill(ServerPod pod, ExecMarker marker) {
        try {
            PodStreams streams = api.exec(pod.name(), marker.killCommand());
            streams.closeStdin();
            boolean ended = ShutdownBudget.completes(streams.disconnected(), KILL_TIMEOUT);
            String failure = ended ? ExecOutcome.parse(streams.status()).failure() : "timeout";
            streams.close();
            if (!failure.isEmpty() && !pod.exit().isDone()) {
                log.atWarn()
                        .addKeyValue("pod", pod.name())
                        .addKeyValue("error", failure)
                        .log("A program in a Pod may not have ended");
            }
        } catch (ClusterException e) {
            // The Pod is gone, or goes when the API server answers.
            log.atDebug()
                    .addKeyValue("pod", pod.name())
                    .addKeyValue("error", e.getMessage())
                    .log("No program of a Pod could be ended");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Kills all programs without a grace. Returns at once. */
    void abandonAll() {
        Frozen.set(alive).forEach(exec -> stop(exec, Duration.ZERO));
    }

    private static void stop(PodExec exec, Duration grace) {
        Thread.ofVirtual().name("orloj-exec-stop").start(() -> exec.stop(grace));
    }

    /** Stops all programs concurrently. */
    @Override
    public void close() {
        try (ExecutorService stoppers = Executors.newVirtualThreadPerTaskExecutor()) {
            Frozen.set(alive).forEach(exec -> stoppers.execute(() -> exec.stop(SHUTDOWN_GRACE)));
        }
    }
}
