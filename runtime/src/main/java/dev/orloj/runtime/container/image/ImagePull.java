package dev.orloj.runtime.container.image;

import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.model.PullResponseItem;
import com.github.dockerjava.api.model.ResponseItem;

import dev.orloj.runtime.container.engine.EngineConnection;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Tracks the pull of one image from a registry to the engine. Thread-safe. */
final class ImagePull implements ResultCallback<PullResponseItem> {

    private static final long REPORT_NANOS = Duration.ofSeconds(2).toNanos();
    private static final long MEGABYTE = 1_000_000;

    private record Layer(long current, long total) {}

    private final Consumer<String> progress;
    private final Map<String, Layer> layers = new ConcurrentHashMap<>();
    private final CompletableFuture<String> failure = new CompletableFuture<>();
    private final CompletableFuture<Closeable> connection = new CompletableFuture<>();
    private volatile long reportedAt = System.nanoTime();

    /**
     * @param progress receives the progress as readable text from time to time
     */
    ImagePull(Consumer<String> progress) {
        this.progress = progress;
    }

    /** Completes at the end of the pull: with the reason of the failure, or with an empty text. */
    CompletableFuture<String> failure() {
        return failure.copy();
    }

    @Override
    public void onStart(Closeable stream) {
        connection.complete(stream);
    }

    @Override
    public void onNext(PullResponseItem item) {
        ResponseItem.ErrorDetail error = item.getErrorDetail();
        if (error != null) {
            failure.complete(Objects.requireNonNullElse(error.getMessage(), "unknown error"));
            return;
        }
        ResponseItem.ProgressDetail detail = item.getProgressDetail();
        if (item.getId() != null && detail != null && detail.getTotal() != null) {
            layers.put(
                    item.getId(),
                    new Layer(
                            Objects.requireNonNullElse(detail.getCurrent(), 0L),
                            detail.getTotal()));
            report();
        }
    }

    @Override
    public void onError(Throwable cause) {
        failure.complete(
                cause instanceof DockerException refusal
                        ? EngineConnection.reason(refusal)
                        : String.valueOf(cause.getMessage()));
    }

    @Override
    public void onComplete() {
        failure.complete("");
    }

    /** Aborts the pull. */
    @Override
    public void close() throws IOException {
        Closeable stream = connection.getNow(null);
        if (stream != null) {
            stream.close();
        }
    }

    private void report() {
        long now = System.nanoTime();
        if (now - reportedAt >= REPORT_NANOS) {
            reportedAt = now;
            long current = layers.values().stream().mapToLong(Layer::current).sum();
            long total = layers.values().stream().mapToLong(Layer::total).sum();
            progress.accept(current / MEGABYTE + " of " + total / MEGABYTE + " MB");
        }
    }
}
