package dev.orloj.runtime.transport;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

/**
 * Numbers the requests of one connection. A program that keeps running may still answer requests of
 * an earlier connection, so each connection has numbers of its own. Thread-safe.
 */
public final class RequestNumbers {

    /** Small, because some servers read numbers of 32 bits only. */
    static final long PER_CONNECTION = 1L << 28;

    /** So many connections have numbers that JSON parsers read exactly, below 2^53. */
    private static final int MAX_CONNECTIONS = 1 << 24;

    /** A number as {@link #next} returns it, in at most the digits of 2^53. */
    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,15}");

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

    /**
     * Returns the number that a server sent back, as the id of a response or the token of a
     * progress notification. Some servers send it back as a string. Empty for anything else.
     */
    public static OptionalLong sentBack(@Nullable JsonNode value) {
        if (value == null) {
            return OptionalLong.empty();
        }
        if (value.isString()) {
            return NUMBER.matcher(value.stringValue()).matches()
                    ? OptionalLong.of(Long.parseLong(value.stringValue()))
                    : OptionalLong.empty();
        }
        return value.isIntegralNumber() && value.canConvertToLong()
                ? OptionalLong.of(value.longValue())
                : OptionalLong.empty();
    }

    /** Returns the next number. After very many, they begin again. */
    public long next() {
        return first + count.getAndIncrement() % PER_CONNECTION;
    }
}
