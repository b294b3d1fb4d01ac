package dev.orloj.server.processing;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.Status;
import dev.orloj.server.disconnect.ClientDisconnectedException;
import dev.orloj.server.disconnect.ClientDisconnects;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.stereotype.Component;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Processes requests on a bounded number of platform threads.
 *
 * <p>A request runs on a virtual thread, and a virtual thread releases its carrier only when it
 * blocks. If as many requests as there are processors each parsed or merged for seconds, all other
 * requests would wait, including liveness probes. Platform threads share the processors by time.
 * Large requests have no more of them than there are processors, so that small requests do not wait
 * for large ones either. Thread-safe.
 */
@Component
public final class Processing implements AutoCloseable {

    /** Work may also wait for the database, so there are more threads than processors. */
    public static final int THREADS = Math.max(16, 4 * Runtime.getRuntime().availableProcessors());

    /**
     * The body size in bytes beyond which a request is large: it costs processor time and memory.
     */
    private static final int LARGE = 64 * 1024;

    /** The maximum number of requests that wait for a thread, each with its body in memory. */
    static final int MAX_WAITING = 256;

    private static final long IDLE_SECONDS = 30;

    private final ClientDisconnects disconnects;
    private final ThreadPoolExecutor threads = pool(THREADS, "orloj-request-");
    private final ThreadPoolExecutor threadsForLarge =
            pool(Runtime.getRuntime().availableProcessors(), "orloj-large-request-");

    public Processing(ClientDisconnects disconnects) {
        this.disconnects = disconnects;
    }

    private static ThreadPoolExecutor pool(int most, String name) {
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(
                        most,
                        most,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(MAX_WAITING),
                        Thread.ofPlatform().daemon().name(name, 0).factory());
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private static final class Task<T> extends FutureTask<T> {

        private final CountDownLatch ended = new CountDownLatch(1);

        Task(Callable<T> work) {
            super(work);
        }

        @Override
        public void run() {
            try {
                super.run();
            } finally {
                ended.countDown();
            }
        }
    }

    /**
     * Processes a request whose body has been read. When the client disconnects, work that has not
     * started never starts, and work in progress is interrupted. In any case returns only when the
     * work is over, because it uses the request.
     *
     * @throws ApiException (TooManyRequests) when too many requests already wait
     * @throws ClientDisconnectedException when the client disconnected
     */
    public <T> T run(HttpServletRequest request, Callable<T> work)
            throws IOException, InterruptedException {
        Task<T> task = new Task<>(work);
        long length = request.getContentLengthLong();
        boolean small = length >= 0 ? length <= LARGE : isWithoutBody(request);
        ThreadPoolExecutor pool = small ? threads : threadsForLarge;
        try {
            pool.execute(task);
        } catch (RejectedExecutionException e) {
            throw tooMany();
        }
        try {
            disconnects.whileConnected(
                    request,
                    () -> {
                        task.ended.await();
                        return task;
                    });
        } catch (ClientDisconnectedException | InterruptedException e) {
            end(task, pool);
            throw e;
        }
        return result(task);
    }

    /** Returns false for a chunked body, whose length is unknown. */
    private static boolean isWithoutBody(HttpServletRequest request) {
        return request.getHeader("Transfer-Encoding") == null;
    }

    private static void end(Task<?> task, ThreadPoolExecutor pool) {
        task.cancel(true);
        if (pool.remove(task)) {
            return;
        }
        boolean ended = false;
        while (!ended) {
            try {
                task.ended.await();
                ended = true;
            } catch (InterruptedException e) { // the caller throws its own
                Thread.interrupted();
            }
        }
    }

    private static <T> T result(Task<T> task) throws IOException, InterruptedException {
        try {
            return task.get();
        } catch (CancellationException e) { // the server is stopping
            throw new InterruptedException("the work was given up");
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException cause -> throw cause;
                case RuntimeException cause -> throw cause;
                case Error cause -> throw cause;
                case null, default -> throw new IllegalStateException(e.getCause());
            }
        }
    }

    private static ApiException tooMany() {
        return new ApiException(
                ErrorReason.TOO_MANY_REQUESTS,
                "%d requests wait for a thread already: try again later".formatted(MAX_WAITING),
                new Status.Details("", "", "", "", List.of(), 1));
    }

    /** Returns the number of requests that wait for a thread. */
    public int waiting() {
        return threads.getQueue().size() + threadsForLarge.getQueue().size();
    }

    @Override
    public void close() {
        for (ThreadPoolExecutor pool : List.of(threads, threadsForLarge)) {
            for (Runnable waiting : pool.shutdownNow()) {
                Task<?> task = (Task<?>) waiting;
                task.cancel(true);
                task.ended.countDown();
            }
        }
    }
}
