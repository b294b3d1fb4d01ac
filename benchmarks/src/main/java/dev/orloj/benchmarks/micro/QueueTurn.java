package dev.orloj.benchmarks.micro;

import dev.orloj.api.Backoff;
import dev.orloj.controllers.workqueue.Workqueue;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.random.RandomGenerator;

/** One key on its way through the work queue, with a thousand others in it. */
@State(Scope.Thread)
public class QueueTurn {

    private static final int OTHERS = 1_000;

    private final Workqueue<Integer> queue =
            new Workqueue<>(
                    new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1), 0.1),
                    InstantSource.system(),
                    RandomGenerator.getDefault());
    private final LinkedBlockingQueue<Integer> bare = new LinkedBlockingQueue<>();

    @Setup
    public void fill() {
        for (int key = 0; key < OTHERS; key++) {
            queue.add(key);
            bare.add(key);
        }
    }

    @Benchmark
    public Optional<Integer> turn() throws InterruptedException {
        Optional<Integer> key = queue.take();
        queue.add(key.orElseThrow());
        queue.done(key.orElseThrow());
        return key;
    }

    /** A queue that keeps no promise beyond order. */
    @Benchmark
    public Integer turnBaseline() throws InterruptedException {
        Integer key = bare.take();
        bare.add(key);
        return key;
    }
}
