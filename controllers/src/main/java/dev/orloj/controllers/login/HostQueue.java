package dev.orloj.controllers.login;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Runs blocking tasks in the background, with a limit for each host and for all. The others wait
 * for their turn, so a host that does not answer delays no task for another host while there are
 * fewer than {@link #MAX_RUNNING}. Thread-safe.
 */
final class HostQueue {

    /** How many tasks run at a time. */
    static final int MAX_RUNNING = 128;

    /** How many of them are for the same host. */
    static final int MAX_RUNNING_PER_HOST = 8;

    /** How many tasks for the same host wait. */
    static final int MAX_WAITING_PER_HOST = 1_000;

    /** How many tasks wait. */
    static final int MAX_WAITING = 10_000;

    /** The tasks of one host. */
    private static final class Host {

        private final Deque<Runnable> waiting = new ArrayDeque<>();
        private int running;
    }

    private final String threadName;

    /** By name, without those that have no tasks. */
    @GuardedBy("this")
    private final Map<String, Host> hosts = new LinkedHashMap<>();

    @GuardedBy("this")
    private int running;

    @GuardedBy("this")
    private int waiting;

    HostQueue(String threadName) {
        this.threadName = threadName;
    }

    /** Returns false, and does not run the task, when too many wait. */
    synchronized boolean offer(String name, Runnable task) {
        Host host = hosts.computeIfAbsent(name, _ -> new Host());
        if (waiting >= MAX_WAITING || host.waiting.size() >= MAX_WAITING_PER_HOST) {
            removeIfIdle(name, host);
            return false;
        }
        host.waiting.add(task);
        waiting++;
        start(name, host);
        return true;
    }

    /** Removes a task that has not begun. Returns whether there was one. */
    synchronized boolean withdraw(String name, Runnable task) {
        Host host = hosts.get(name);
        if (host == null || !host.waiting.remove(task)) {
            return false;
        }
        waiting--;
        removeIfIdle(name, host);
        return true;
    }

    @GuardedBy("this")
    private void start(String name, Host host) {
        while (running < MAX_RUNNING
                && host.running < MAX_RUNNING_PER_HOST
                && !host.waiting.isEmpty()) {
            Runnable task = host.waiting.remove();
            waiting--;
            host.running++;
            running++;
            Thread.ofVirtual().name(threadName).start(() -> run(name, task));
        }
    }

    private void run(String name, Runnable task) {
        try {
            task.run();
        } finally {
            ended(name);
        }
    }

    private synchronized void ended(String name) {
        running--;
        Host host = hosts.get(name);
        if (host != null) {
            host.running--;
            removeIfIdle(name, host);
        }
        for (Map.Entry<String, Host> each : hosts.entrySet()) {
            start(each.getKey(), each.getValue());
        }
    }

    @GuardedBy("this")
    private void removeIfIdle(String name, Host host) {
        if (host.running == 0 && host.waiting.isEmpty()) {
            hosts.remove(name);
        }
    }
}
