package dev.orloj.controllers.events;

import dev.orloj.api.core.Event;

/**
 * The content of an event about a resource.
 *
 * @param type {@link Event#NORMAL} or {@link Event#WARNING}
 * @param reason what happened, CamelCase, for machines
 * @param message what happened, with names, for people
 */
public record Note(String type, String reason, String message) {

    public static Note normal(String reason, String message) {
        return new Note(Event.NORMAL, reason, message);
    }

    public static Note warning(String reason, String message) {
        return new Note(Event.WARNING, reason, message);
    }
}
