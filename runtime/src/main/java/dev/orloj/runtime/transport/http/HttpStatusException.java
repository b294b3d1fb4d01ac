package dev.orloj.runtime.transport.http;

import dev.orloj.runtime.transport.TransportException;

/** The server refused a request with an HTTP status that is not a success. */
public final class HttpStatusException extends TransportException {

    private static final long serialVersionUID = 1L;

    private final int status;

    public HttpStatusException(String message, int status, boolean delivered) {
        super(message, delivered);
        this.status = status;
    }

    public int status() {
        return status;
    }

    /**
     * Returns whether the server or a proxy refused the request because credentials were missing,
     * wrong or not sufficient.
     */
    public boolean isForCredentials() {
        return status == 401 || status == 403 || status == 407;
    }
}
