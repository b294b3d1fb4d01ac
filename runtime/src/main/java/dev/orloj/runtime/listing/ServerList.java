package dev.orloj.runtime.listing;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** A list of a server that may change. Its sessions may each have another one. */
public enum ServerList {
    TOOLS,
    PROMPTS,
    RESOURCES;

    /** Returns the list whose change the notification reports. */
    public static Optional<ServerList> ofNotification(String method) {
        return Arrays.stream(values()).filter(l -> l.notification().equals(method)).findFirst();
    }

    /** Returns the list that the request reads. */
    public static Optional<ServerList> ofRequest(String method) {
        return switch (method) {
            case "tools/list" -> Optional.of(TOOLS);
            case "prompts/list" -> Optional.of(PROMPTS);
            case "resources/list", "resources/templates/list" -> Optional.of(RESOURCES);
            default -> Optional.empty();
        };
    }

    /** Returns the method of the notification that the list has changed. */
    public String notification() {
        return "notifications/" + name().toLowerCase(Locale.ROOT) + "/list_changed";
    }
}
