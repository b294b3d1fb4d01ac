package dev.orloj.api.client;

import dev.orloj.api.ApiException;
import dev.orloj.api.WatchEvent;

import java.time.Duration;
import java.util.Optional;

/**
 * An open watch. One thread takes events; {@link #close()} may come from any other and ends a
 * waiting {@link #next}.
 */
public interface Watch<R> extends AutoCloseable {

    /**
     * The next event, or empty when none came within {@code timeout}.
     *
     * @throws ApiException (Expired) when events were lost and the collection has to be listed
     *     again
     * @throws WatchClosedException when the watch ended and may be resumed from the last revision
     */
    Optional<WatchEvent<R>> next(Duration timeout) throws InterruptedException;

    @Override
    void close();
}
