package dev.orloj.server.replica;

import java.io.Serial;

/** A replica did not do what it was asked, as far as is known here. */
public final class ReplicaLostException extends Exception {

    @Serial private static final long serialVersionUID = 1L;

    private final boolean delivered;

    /**
     * @param message a sentence about the replica, without an end
     * @param delivered whether it may have begun, or even done, what it was asked
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
