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

    /** The capability that a server with such a list declares. */
    public String capability() {
        return text;
    }

    public String notification() {
        return "notifications/" + text + "/list_changed";
    }

    /** The member of the filter of {@code subscriptions/listen}. */
    public String filter() {
        return text + "ListChanged";
    }
}
