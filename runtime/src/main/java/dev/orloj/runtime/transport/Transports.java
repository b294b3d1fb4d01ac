package dev.orloj.runtime.transport;

import dev.orloj.runtime.scale.ServerScaling;
import dev.orloj.runtime.subject.SubjectException;
import dev.orloj.runtime.subject.SubjectToken;
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

    /** Returns what scales the workloads that run servers over HTTP. */
    default ServerScaling scaling() {
        return ServerScaling.NONE;
    }

    /**
     * Makes sure that there is a token for requests on behalf of a user.
     *
     * @param address for the requests of this user
     * @throws SubjectException when there is none
     */
    default void authorize(ServerAddress address, SubjectToken token) {
        throw new SubjectException("no tokens of users are exchanged here");
    }
}
