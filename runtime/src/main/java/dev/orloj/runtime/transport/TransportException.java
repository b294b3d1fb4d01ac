package dev.orloj.runtime.transport;

import org.jspecify.annotations.Nullable;

/** A request failed because of the connection, or the connection could not be made. */
public class TransportException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean delivered;

    /**
     * @param delivered whether the server may have received the request: repeating it is safe only
     *     when not
     */
    public TransportException(String message, boolean delivered, @Nullable Throwable cause) {
        super(message, cause);
        this.delivered = delivered;
    }

    public TransportException(String message, boolean delivered) {
        this(message, delivered, null);
    }

    /** Whether the server may have received the request. */
    public final boolean delivered() {
        return delivered;
    }
}
