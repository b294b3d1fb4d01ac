package dev.orloj.server.replica;

import java.io.Serial;

/** A replica did not complete a request, as far as this replica knows. */
public final class ReplicaLostException extends Exception {

    @Serial private static final long serialVersionUID = 1L;

    private final boolean delivered;

    /**
     * @param message a sentence about the replica, without a full stop
     * @param delivered whether the replica may have started, or even completed, the request
     */
    ReplicaLostException(String message, boolean delivered) {
        super(message);
        this.delivered = delivered;
    }

    public boolean delivered() {
        return delivered;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
