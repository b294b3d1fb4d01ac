package dev.orloj.runtime.pod;

import dev.orloj.api.codec.Json;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.http.WebSocket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The API server and the node of one exec: runs the command as a process of this machine, and
 * speaks v5 of the protocol.
 */
final class FakeExec extends FakeWebSocket {

    private final PodStreams streams;

    /** Only one message is received at a time. */
    private final ReentrantLock receiving = new ReentrantLock();

    private volatile @Nullable Process process;

    FakeExec(PodStreams streams) {
        this.streams = streams;
    }

    /** Runs the command with an environment that has no variables but the PATH. */
    void run(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(name -> !name.equals("PATH"));
        Process started;
        try {
            started = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        process = started;
        Thread out = pump(started.getInputStream(), 1);
        Thread err = pump(started.getErrorStream(), 2);
        Thread.ofPlatform().daemon().start(() -> reportEnd(started, List.of(out, err)));
    }

    /** Answers as if the node could not run the command. */
    void fail(String message) {
        Thread.ofPlatform()
                .daemon()
                .start(
                        () -> {
                            status(
                                    Map.of(
                                            "status",
                                            "Failure",
                                            "reason",
                                            "InternalError",
                                            "message",
                                            message));
                            streams.onClose(this, 1000, "");
                        });
    }

    boolean isRunning() {
        Process current = process;
        return current != null && current.isAlive();
    }

    /** Kills the process, as the end of its Pod does. */
    void kill() {
        Process current = process;
        if (current != null) {
            current.destroyForcibly();
        }
    }

    /** Ends the connection, and lets the process run. */
    void cut() {
        aborted = true;
        streams.onError(this, new IOException("connection reset"));
    }

    private Thread pump(InputStream from, int channel) {
        return Thread.ofPlatform()
                .daemon()
                .start(
                        () -> {
                            byte[] chunk = new byte[4096];
                            try {
                                for (int read = from.read(chunk);
                                        read >= 0;
                                        read = from.read(chunk)) {
                                    receive(channel, chunk, read);
                                }
                            } catch (IOException e) {
                                // The process has ended.
                            }
                        });
    }

    private void reportEnd(Process ended, List<Thread> pumps) {
        try {
            int code = ended.waitFor();
            for (Thread pump : pumps) {
                pump.join();
            }
            if (!aborted) {
                report(code);
                streams.onClose(this, 1000, "");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void report(int code) {
        status(
                code == 0
                        ? Map.of("status", "Success")
                        : Map.of(
                                "status",
                                "Failure",
                                "reason",
                                "NonZeroExitCode",
                                "message",
                                "command terminated with non-zero exit code",
                                "details",
                                Map.of(
                                        "causes",
                                        List.of(
                                                Map.of(
                                                        "reason",
                                                        "ExitCode",
                                                        "message",
                                                        Integer.toString(code))))));
    }

    private void status(Map<String, ?> status) {
        byte[] json = Json.MAPPER.writeValueAsBytes(status);
        receive(3, json, json.length);
    }

    private void receive(int channel, byte[] bytes, int length) {
        receiving.lock();
        try {
            if (!aborted) {
                streams.onBinary(this, message(channel, bytes, length), true);
            }
        } finally {
            receiving.unlock();
        }
    }

    @Override
    CompletableFuture<WebSocket> send(int channel, byte[] bytes) {
        Process current = process;
        try {
            if (current != null) {
                OutputStream stdin = current.getOutputStream();
                if (channel == 255) {
                    stdin.close();
                } else {
                    stdin.write(bytes);
                    stdin.flush();
                }
            }
            return CompletableFuture.completedFuture(this);
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public void abort() {
        super.abort();
        Process current = process;
        if (current != null) {
            try {
                current.getOutputStream().close();
            } catch (IOException e) {
                // The process has ended.
            }
        }
    }
}
