package dev.orloj.server.mcp.protocol;

/** A list whose changes clients are notified of. */
public enum ListKind {
    TOOLS("tools"),
    PROMPTS("prompts"),
    RESOURCES("resources");

    private final String text;

    ListKind(String text) {
        this.text = text;
    }

    /** Returns the capability that a server with such a list declares. */
    public String capability() {
        return text;
    }

    public String notification() {
        return "notifications/" + text + "/list_changed";
    }

    /** Returns the member of the filter of {@code subscriptions/listen}. */
    public String filter() {
        return text + "ListChanged";
    }
}
