package dev.orloj.server.disconnect;

import java.io.IOException;
import java.io.Serial;

/** The client hung up before it was answered, so nobody is left to be told anything. */
public final class ClientDisconnectedException extends IOException {

    @Serial private static final long serialVersionUID = 1L;

    ClientDisconnectedException() {
        super("the client hung up");
    }
}
