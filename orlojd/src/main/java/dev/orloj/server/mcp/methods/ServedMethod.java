package dev.orloj.server.mcp.methods;

import dev.orloj.server.mcp.protocol.ProtocolError;

import java.util.HashMap;
import java.util.Map;

/**
 * The methods that clients can request, and the eras that have them. No other method is served, and
 * a test checks what each user gets for each of these.
 */
public enum ServedMethod {
    INITIALIZE("initialize", Era.SESSION),
    PING("ping", Era.SESSION),
    SET_LOG_LEVEL("logging/setLevel", Era.SESSION),
    SUBSCRIBE("resources/subscribe", Era.SESSION),
    UNSUBSCRIBE("resources/unsubscribe", Era.SESSION),
    DISCOVER("server/discover", Era.STATELESS),
    LISTEN("subscriptions/listen", Era.STATELESS),
    LIST_TOOLS("tools/list", Era.BOTH),
    CALL_TOOL("tools/call", Era.BOTH),
    LIST_PROMPTS("prompts/list", Era.BOTH),
    GET_PROMPT("prompts/get", Era.BOTH),
    LIST_RESOURCES("resources/list", Era.BOTH),
    LIST_TEMPLATES("resources/templates/list", Era.BOTH),
    READ_RESOURCE("resources/read", Era.BOTH),
    COMPLETE("completion/complete", Era.BOTH);

    private enum Era {
        SESSION,
        STATELESS,
        BOTH
    }

    private static final Map<String, ServedMethod> BY_TEXT = new HashMap<>();

    static {
        for (ServedMethod method : values()) {
            BY_TEXT.put(method.text, method);
        }
    }

    private final String text;
    private final Era era;

    ServedMethod(String text, Era era) {
        this.text = text;
        this.era = era;
    }

    public String text() {
        return text;
    }

    /** Returns whether revisions with sessions have the method. */
    public boolean isOfSessions() {
        return era != Era.STATELESS;
    }

    /** Returns whether 2026-07-28 has the method. */
    public boolean isStatelessToo() {
        return era != Era.SESSION;
    }

    /**
     * Finds a method of the revisions with sessions.
     *
     * @throws ProtocolError when there is none of this name
     */
    static ServedMethod ofSession(String text) {
        ServedMethod method = BY_TEXT.get(text);
        if (method == null || !method.isOfSessions()) {
            throw ProtocolError.methodNotFound(text);
        }
        return method;
    }

    /**
     * Finds a method of 2026-07-28.
     *
     * @throws ProtocolError when there is none of this name
     */
    static ServedMethod stateless(String text) {
        ServedMethod method = BY_TEXT.get(text);
        if (method == null || !method.isStatelessToo()) {
            throw ProtocolError.methodNotFound(text);
        }
        return method;
    }
}
