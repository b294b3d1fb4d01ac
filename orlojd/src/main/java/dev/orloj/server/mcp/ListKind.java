package dev.orloj.server.mcp;

/** A list whose changes agents hear of. */
enum ListKind {
    TOOLS("tools"),
    PROMPTS("prompts"),
    RESOURCES("resources");

    private final String text;

    ListKind(String text) {
        this.text = text;
    }

    /** What a server declares that has such a list. */
    String capability() {
        return text;
    }

    String notification() {
        return "notifications/" + text + "/list_changed";
    }

    /** In the filter of {@code subscriptions/listen}. */
    String filter() {
        return text + "ListChanged";
    }
}
