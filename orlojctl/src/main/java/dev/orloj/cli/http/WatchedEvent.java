package dev.orloj.cli.http;

import tools.jackson.databind.JsonNode;

/**
 * One event of a watch.
 *
 * @param type ADDED, MODIFIED, DELETED, BOOKMARK or ERROR
 * @param object the resource, a table with it, or the Status of an error
 */
public record WatchedEvent(String type, JsonNode object) {

    public boolean isDeletion() {
        return type.equals("DELETED");
    }

    boolean isBookmark() {
        return type.equals("BOOKMARK");
    }

    /**
     * Returns the revision from which to resume after this event; empty when the event has none.
     */
    String version() {
        String ofResource = object.at("/metadata/resourceVersion").asString("");
        return ofResource.isEmpty()
                ? object.at("/rows/0/object/metadata/resourceVersion").asString("")
                : ofResource;
    }
}
