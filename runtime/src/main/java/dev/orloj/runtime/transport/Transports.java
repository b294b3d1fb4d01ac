package dev.orloj.runtime.transport;

import dev.orloj.runtime.workload.LogBuffer;

/** Creates connections. */
public interface Transports {

    /**
     * Creates a connection that is not open yet.
     *
     * @param stderr receives the server's stderr, and the first non-protocol lines of its stdout
     * @param label names the server in thread names
     */
    Transport create(ServerAddress address, LogBuffer stderr, String label);

    /**
     * Does the same with a limit of its own for messages of the server.
     *
     * @param maxMessageBytes has an effect if it is less than the limit for all servers
     */
    default Transport create(
            ServerAddress address, LogBuffer stderr, String label, int maxMessageBytes) {
        return create(address, stderr, label);
    }
}
