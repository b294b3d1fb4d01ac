package dev.orloj.server.rest;

import dev.orloj.api.FieldError;
import dev.orloj.api.Resource;
import dev.orloj.server.admission.AdmissionRule;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Keeps the writes of resources with the label {@code held} at work until they are let go. As many
 * as there are processors keep one busy each, as parsing does; the others wait.
 */
final class HeldWork implements AdmissionRule {

    static final String LABEL = "held";

    private final Semaphore begun = new Semaphore(0);
    private final AtomicInteger busy = new AtomicInteger();
    private volatile CountDownLatch end = new CountDownLatch(1);

    @Override
    public List<FieldError> check(Resource resource) {
        if (resource.metadata().labels().containsKey(LABEL)) {
            CountDownLatch until = end;
            begun.release();
            if (busy.incrementAndGet() <= Runtime.getRuntime().availableProcessors()) {
                while (until.getCount() > 0) {
                    Thread.onSpinWait();
                }
            } else {
                await(until);
            }
        }
        return List.of();
    }

    private static void await(CountDownLatch until) {
        try {
            until.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns when that many more are at work. */
    void awaitBegun(int count) throws InterruptedException {
        begun.acquire(count);
    }

    void letGo() {
        CountDownLatch ended = end;
        end = new CountDownLatch(1);
        busy.set(0);
        ended.countDown();
    }
}
