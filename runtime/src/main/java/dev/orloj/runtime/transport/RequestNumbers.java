package dev.orloj.runtime.transport;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Numbers the requests of one connection. A program that keeps running may still answer requests of
 * an earlier connection, so each connection has numbers of its own. Thread-safe.
 */
public final class RequestNumbers {

    /** Small, because some servers read numbers of 32 bits only. */
    static final long PER_CONNECTION = 1L << 28;

    /** So many connections have numbers that JSON parsers read exactly, below 2^53. */
    private static final int MAX_CONNECTIONS = 1 << 24;

    private final AtomicLong count = new AtomicLong();
    private volatile long first = 1;

    /**
     * Excludes the numbers of the earlier connections. Called before the first request.
     *
     * @param connections the number of earlier connections
     */
    public void startAfter(int connections) {
        first = 1 + connections % MAX_CONNECTIONS * PER_CONNECTION;
    }

    /** Returns the next number. After very many, they begin again. */
    public long next() {
        return first + count.getAndIncrement() % PER_CONNECTION;
    }
}
