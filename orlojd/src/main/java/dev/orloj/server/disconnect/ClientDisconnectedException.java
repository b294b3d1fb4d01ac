package dev.orloj.server.disconnect;

import java.io.IOException;
import java.io.Serial;

/** The client disconnected before the response, so no response is possible. */
public final class ClientDisconnectedException extends IOException {

    @Serial private static final long serialVersionUID = 1L;

    ClientDisconnectedException() {
        super("the client hung up");
    }
}
