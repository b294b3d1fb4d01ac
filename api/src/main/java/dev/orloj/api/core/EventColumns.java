package dev.orloj.api.core;

import dev.orloj.api.codec.Column;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Locale;

/**
 * The table of events, which is the same for both shapes.
 *
 * @param about pointer to the reference of the resource that an event is about
 * @param source pointer to the reporting component, for events of older recorders
 * @param first pointer to the time of the first occurrence
 * @param last pointer to the time of the latest one
 * @param count pointer to the number of occurrences
 */
record EventColumns(String about, String source, String first, String last, String count) {

    /** Returns the columns for events of the core group. */
    static Column[] core() {
        return new EventColumns(
                        "/involvedObject", "/source", "/firstTimestamp", "/lastTimestamp", "/count")
                .columns("/message", "/reportingComponent");
    }

    /** Returns the columns for events of events.k8s.io. */
    static Column[] eventsV1() {
        return new EventColumns(
                        "/regarding",
                        "/deprecatedSource",
                        "/deprecatedFirstTimestamp",
                        "/deprecatedLastTimestamp",
                        "/deprecatedCount")
                .columns("/note", "/reportingController");
    }

    private Column[] columns(String message, String reporter) {
        return new Column[] {
            Column.date("Last Seen", "When it last happened", this::lastSeen),
            Column.text("Type", "Normal or Warning", Column.at("/type")),
            Column.text("Reason", "What happened, in a word", Column.at("/reason")),
            Column.text("Object", "What it happened to", this::object),
            Column.text("Subobject", "Which part of it", Column.at(about + "/fieldPath"))
                    .onlyWide(),
            Column.text("Source", "Who says so", event -> reporter(event, reporter)).onlyWide(),
            Column.text("Message", "What happened", event -> oneLine(event, message)),
            Column.date("First Seen", "When it first happened", this::firstSeen).onlyWide(),
            Column.integer("Count", "How often it happened", this::count).onlyWide(),
            Column.text("Name", "Name of the event", Column.at("/metadata/name")).onlyWide()
        };
    }

    private Object lastSeen(ObjectNode event) {
        return firstOf(
                event,
                List.of(
                        "/series/lastObservedTime",
                        last,
                        first,
                        "/eventTime",
                        "/metadata/creationTimestamp"));
    }

    private Object firstSeen(ObjectNode event) {
        return firstOf(event, List.of(first, "/eventTime", "/metadata/creationTimestamp"));
    }

    private static String firstOf(ObjectNode event, List<String> pointers) {
        return pointers.stream()
                .map(pointer -> event.at(pointer).asString(""))
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse("");
    }

    private Object object(ObjectNode event) {
        JsonNode object = event.at(about);
        String kind = object.path("kind").asString("").toLowerCase(Locale.ROOT);
        String name = object.path("name").asString("");
        return kind.isEmpty() ? name : kind + "/" + name;
    }

    private String reporter(ObjectNode event, String reporter) {
        String component = firstOf(event, List.of(source + "/component", reporter));
        String host = firstOf(event, List.of(source + "/host", "/reportingInstance"));
        return host.isEmpty() ? component : component + ", " + host;
    }

    private Object count(ObjectNode event) {
        JsonNode series = event.at("/series/count");
        return series.isNumber() ? series.asInt() : Math.max(1, event.at(count).asInt(0));
    }

    private static String oneLine(ObjectNode event, String message) {
        return event.at(message).asString("").strip();
    }
}
