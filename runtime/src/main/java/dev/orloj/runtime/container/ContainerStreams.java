package dev.orloj.runtime.container;

import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.model.Frame;

import dev.orloj.runtime.workload.BytePipe;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;

/**
 * The standard streams of one container over its attach connection. The client library reads them
 * on its own platform thread, which waits while the output is not consumed. Thread-safe.
 */
final class ContainerStreams implements ResultCallback<Frame> {

    /** {@code StdinWriter} relies on a pipe of at least one page. */
    private static final int STDIN_BYTES = 16 * 1024;

    private static final int STDOUT_BYTES = 32 * 1024;
    private static final int STDERR_BYTES = 8 * 1024;

    private final BytePipe stdin = new BytePipe(STDIN_BYTES);
    private final BytePipe stdout = new BytePipe(STDOUT_BYTES);
    private final BytePipe stderr = new BytePipe(STDERR_BYTES);
    private final CompletableFuture<Closeable> connection = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    OutputStream stdin() {
        return stdin.out();
    }

    InputStream stdout() {
        return stdout.in();
    }

    InputStream stderr() {
        return stderr.in();
    }

    /** Returns the stream that the client library sends to the container. */
    InputStream toContainer() {
        return stdin.in();
    }

    /** Completes when no further output of the container can be missed, or with the failure. */
    CompletableFuture<Closeable> attached() {
        return connection;
    }

    /** Completes when the container sends no more output. */
    CompletableFuture<Void> ended() {
        return ended;
    }

    @Override
    public void onStart(Closeable attached) {
        connection.complete(attached);
    }

    @Override
    public void onNext(Frame frame) {
        try {
            switch (frame.getStreamType()) {
                case STDERR -> stderr.out().write(frame.getPayload());
                case STDOUT, RAW -> stdout.out().write(frame.getPayload());
                case STDIN -> {}
            }
        } catch (IOException e) {
            // The output is not read any more, so it may be dropped.
        }
    }

    @Override
    public void onError(Throwable failure) {
        connection.completeExceptionally(failure);
        end();
    }

    @Override
    public void onComplete() {
        end();
    }

    /** Closes the streams. The container sees the end of its stdin, and its output is dropped. */
    @Override
    public void close() {
        end();
        Closeable open = connection.getNow(null);
        try {
            if (open != null) {
                open.close();
            }
        } catch (IOException e) {
            // The other end is closed already, which is the goal.
        }
    }

    private void end() {
        stdin.abandon();
        stdout.end();
        stderr.end();
        ended.complete(null);
    }
}
