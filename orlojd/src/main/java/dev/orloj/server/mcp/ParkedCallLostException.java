package dev.orloj.server.mcp;

import java.io.Serial;

/** A parked call cannot go on: it is not there any more, or cannot be reached. */
final class ParkedCallLostException extends Exception {

    @Serial private static final long serialVersionUID = 1L;

    /**
     * @param why goes on after "because"
     */
    ParkedCallLostException(String why) {
        super(why);
    }
}
