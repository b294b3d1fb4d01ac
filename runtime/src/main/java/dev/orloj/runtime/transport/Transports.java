package dev.orloj.runtime.transport;

import dev.orloj.runtime.workload.LogBuffer;

/** Creates connections. */
public interface Transports {

    /**
     * A connection that is not open yet.
     *
     * @param stderr receives what the server writes to its standard error, and the first lines of
     *     noise on its standard output
     * @param label names the server in thread names
     */
    Transport create(ServerAddress address, LogBuffer stderr, String label);
}
