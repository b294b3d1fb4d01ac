package dev.orloj.api.client;

import dev.orloj.api.ApiException;
import dev.orloj.api.WatchEvent;

import java.time.Duration;
import java.util.Optional;

/**
 * An open watch. One thread takes events. Any other thread may call {@link #close()}, which ends a
 * waiting {@link #next}.
 */
public interface Watch<R> extends AutoCloseable {

    /**
     * Returns the next event, or empty if none arrived within {@code timeout}.
     *
     * @throws ApiException (Expired) when events were lost and the collection must be listed again
     * @throws WatchClosedException when the watch ended and may be resumed from the last revision
     */
    Optional<WatchEvent<R>> next(Duration timeout) throws InterruptedException;

    @Override
    void close();
}
