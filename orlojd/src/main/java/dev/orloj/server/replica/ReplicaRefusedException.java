package dev.orloj.server.replica;

import java.io.Serial;

/** A replica rejected a request and did nothing. The message is for both sides. */
final class ReplicaRefusedException extends RuntimeException {

    @Serial private static final long serialVersionUID = 1L;

    ReplicaRefusedException(String message) {
        super(message);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
