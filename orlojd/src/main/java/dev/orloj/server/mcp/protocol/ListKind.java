package dev.orloj.server.mcp.protocol;

/** A list whose changes agents hear of. */
public enum ListKind {
    TOOLS("tools"),
    PROMPTS("prompts"),
    RESOURCES("resources");

    private final String text;

    ListKind(String text) {
        this.text = text;
    }

    /** What a server declares that has such a list. */
    public String capability() {
        return text;
    }

    public String notification() {
        return "notifications/" + text + "/list_changed";
    }

    /** In the filter of {@code subscriptions/listen}. */
    public String filter() {
        return text + "ListChanged";
    }
}
