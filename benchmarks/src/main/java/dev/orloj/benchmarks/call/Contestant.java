package dev.orloj.benchmarks.call;

import dev.orloj.benchmarks.load.Operation;

import java.time.Duration;
import java.util.Optional;

/** A subject whose {@code echo} any number of callers can call. */
public interface Contestant extends AutoCloseable {

    String name();

    /** One operation is one call whose answer was looked at. */
    Operation caller() throws Exception;

    /** Processor time of its process so far, without the echo server's; empty when unknown. */
    Optional<Duration> cpu();

    @Override
    void close();
}
