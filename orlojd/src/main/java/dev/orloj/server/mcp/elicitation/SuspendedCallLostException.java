package dev.orloj.server.mcp.elicitation;

import java.io.Serial;

/** A parked call cannot go on: it is not there any more, or cannot be reached. */
public final class SuspendedCallLostException extends Exception {

    @Serial private static final long serialVersionUID = 1L;

    /**
     * @param why goes on after "because"
     */
    public SuspendedCallLostException(String why) {
        super(why);
    }
}
