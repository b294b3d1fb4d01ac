package dev.orloj.controllers.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

@Timeout(30)
class HostQueueTest {

    private final HostQueue queue = new HostQueue("test");
    private final CountDownLatch answer = new CountDownLatch(1);
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger mostRunning = new AtomicInteger();
    private final List<String> ended = new CopyOnWriteArrayList<>();

    private Runnable blocking(String name) {
        return () -> {
            mostRunning.accumulateAndGet(running.incrementAndGet(), Math::max);
            try {
                answer.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            running.decrementAndGet();
            ended.add(name);
        };
    }

    @AfterEach
    void stop() {
        answer.countDown();
    }

    @Test
    void allHostsTogetherHaveALimitToo() {
        int hosts = HostQueue.MAX_RUNNING / HostQueue.MAX_RUNNING_PER_HOST + 3;
        int tasks = hosts * HostQueue.MAX_RUNNING_PER_HOST;
        for (int i = 0; i < tasks; i++) {
            assertThat(queue.offer("host" + i % hosts, blocking("task" + i))).isTrue();
        }

        await().until(() -> running.get() == HostQueue.MAX_RUNNING);
        answer.countDown();

        await().until(() -> ended.size() == tasks);
        assertThat(mostRunning).hasValue(HostQueue.MAX_RUNNING);
    }

    @Test
    void taskThatFailsFreesItsPlace() {
        for (int i = 0; i < HostQueue.MAX_RUNNING_PER_HOST; i++) {
            queue.offer(
                    "host",
                    () -> {
                        Thread.currentThread().setUncaughtExceptionHandler((_, _) -> {});
                        throw new IllegalStateException("broken");
                    });
        }

        queue.offer("host", () -> ended.add("next"));

        await().until(() -> ended.contains("next"));
    }

    @Test
    void onlyATaskThatHasNotBegunCanBeWithdrawn() {
        Runnable first = blocking("first");
        Runnable waiting = blocking("waiting");
        queue.offer("host", first);
        for (int i = 1; i < HostQueue.MAX_RUNNING_PER_HOST; i++) {
            queue.offer("host", blocking("other"));
        }
        queue.offer("host", waiting);

        assertThat(queue.withdraw("host", first)).isFalse();
        assertThat(queue.withdraw("host", waiting)).isTrue();
        assertThat(queue.withdraw("host", waiting)).isFalse();
        answer.countDown();

        queue.offer("host", () -> ended.add("last"));
        await().until(() -> ended.size() == HostQueue.MAX_RUNNING_PER_HOST + 1);
        assertThat(ended).doesNotContain("waiting");
    }

    @Test
    void hostsTogetherHaveALimitOfTasksThatWait() {
        int hosts = HostQueue.MAX_WAITING / HostQueue.MAX_WAITING_PER_HOST;
        for (int host = 0; host < hosts; host++) {
            int most = HostQueue.MAX_RUNNING_PER_HOST + HostQueue.MAX_WAITING_PER_HOST;
            for (int i = 0; i < most; i++) {
                assertThat(queue.offer("host" + host, blocking("task"))).isTrue();
            }
        }

        assertThat(queue.offer("another", blocking("task"))).isFalse();
        answer.countDown();
        await().until(() -> queue.offer("another", () -> ended.add("later")));
        await().until(() -> ended.contains("later"));
    }
}
