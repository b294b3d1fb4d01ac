package dev.orloj.server.mcp.elicitation;

import java.io.Serial;

/** A suspended call cannot continue: it no longer exists, or its replica cannot be reached. */
public final class SuspendedCallLostException extends Exception {

    @Serial private static final long serialVersionUID = 1L;

    /**
     * @param why completes a sentence after "because"
     */
    public SuspendedCallLostException(String why) {
        super(why);
    }
}
