package dev.orloj.runtime.client;

import dev.orloj.runtime.transport.TransportException;

/**
 * The program of a server ended on a request of a revision that it may not support. Some older
 * servers do so on any first message except {@code initialize}.
 */
public final class ServerExitedException extends TransportException {

    private static final long serialVersionUID = 1L;

    ServerExitedException(TransportException cause) {
        super(String.valueOf(cause.getMessage()), cause.delivered(), cause);
    }
}
