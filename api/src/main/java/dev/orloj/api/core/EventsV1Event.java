package dev.orloj.api.core;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;

import dev.orloj.api.Kind;
import dev.orloj.api.MicroTime;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.Resource;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.Schema;
import dev.orloj.api.codec.View;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** An {@link Event} in the shape of the group events.k8s.io, which newer recorders write. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonPropertyOrder({"apiVersion", "kind", "metadata", "regarding", "reason", "note"})
public record EventsV1Event(
        String apiVersion,
        String kind,
        ObjectMeta metadata,
        Event.@Nullable ObjectReference regarding,
        Event.@Nullable ObjectReference related,
        @Nullable String reason,
        @Nullable String note,
        @Nullable String type,
        @Nullable String action,
        @Nullable MicroTime eventTime,
        Event.@Nullable Series series,
        @Nullable String reportingController,
        @Nullable String reportingInstance,
        @JsonUnwrapped OlderFields olderFields)
        implements Resource {

    /** What only recorders of {@link Event} write. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record OlderFields(
            Event.@Nullable Source deprecatedSource,
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) int deprecatedCount,
            @Nullable Instant deprecatedFirstTimestamp,
            @Nullable Instant deprecatedLastTimestamp) {}

    public static final Kind<EventsV1Event> KIND =
            new Kind<>("events.k8s.io", "v1", "Event", "events", true, EventsV1Event.class);

    private static final String EVENT_TIME = "eventTime";

    /** The names here of the fields of the row. All other fields have the same name. */
    private static final Map<String, String> RENAMED =
            Map.of(
                    "involvedObject", "regarding",
                    "message", "note",
                    "source", "deprecatedSource",
                    "count", "deprecatedCount",
                    "firstTimestamp", "deprecatedFirstTimestamp",
                    "lastTimestamp", "deprecatedLastTimestamp",
                    "reportingComponent", "reportingController");

    private static final Map<String, String> RENAMED_BACK =
            RENAMED.entrySet().stream()
                    .collect(Collectors.toUnmodifiableMap(Map.Entry::getValue, Map.Entry::getKey));

    public static final KindDescriptor<EventsV1Event> DESCRIPTOR =
            KindDescriptor.of(
                            KIND,
                            Schema.fromResource(EventsV1Event.class, "eventsv1event.schema.json"))
                    .shortNames("ev")
                    .view(
                            new View(
                                    Event.DESCRIPTOR,
                                    EventsV1Event::fromStored,
                                    EventsV1Event::toStored,
                                    field -> List.of(RENAMED_BACK.getOrDefault(field, field))))
                    .normalizer(Event::normalize)
                    .selectable("regarding.kind", "/involvedObject/kind")
                    .selectable("regarding.namespace", "/involvedObject/namespace")
                    .selectable("regarding.name", "/involvedObject/name")
                    .selectable("regarding.uid", "/involvedObject/uid")
                    .selectable("regarding.apiVersion", "/involvedObject/apiVersion")
                    .selectable("regarding.resourceVersion", "/involvedObject/resourceVersion")
                    .selectable("regarding.fieldPath", "/involvedObject/fieldPath")
                    .selectable("reason", "/reason")
                    .selectable("type", "/type")
                    .selectable("reportingController", "/reportingComponent")
                    .overwritable()
                    .creatableByUpdate()
                    .strategicMerge()
                    .wholeTable()
                    .columns(EventColumns.eventsV1())
                    .build();

    /** Converts a row. Sets the event time, which clients require, if the row has none. */
    private static ObjectNode fromStored(ObjectNode row) {
        ObjectNode event = renamed(row, KIND, RENAMED);
        if (!event.path(EVENT_TIME).isString()) {
            timeOf(row).ifPresent(time -> event.put(EVENT_TIME, time));
        }
        return event;
    }

    private static ObjectNode toStored(ObjectNode document) {
        ObjectNode row = renamed(document, Event.KIND, RENAMED_BACK);
        Optional<String> made = timeOf(row);
        if (made.isPresent() && made.get().equals(row.path(EVENT_TIME).asString(""))) {
            row.remove(EVENT_TIME);
        }
        return row;
    }

    /**
     * Returns when the event first happened, from the fields of the row other than its event time.
     */
    private static Optional<String> timeOf(ObjectNode row) {
        for (String pointer : List.of("/firstTimestamp", "/metadata/creationTimestamp")) {
            String time = row.at(pointer).asString("");
            try {
                if (!time.isEmpty()) {
                    return Optional.of(MicroTime.parse(time).toString());
                }
            } catch (DateTimeException e) { // the schema reports the error
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    private static ObjectNode renamed(
            ObjectNode document, Kind<?> kind, Map<String, String> names) {
        ObjectNode other = document.objectNode();
        for (Map.Entry<String, JsonNode> field : document.properties()) {
            other.set(names.getOrDefault(field.getKey(), field.getKey()), field.getValue());
        }
        other.put("apiVersion", kind.apiVersion()).put("kind", kind.name());
        return other;
    }

    @Override
    public EventsV1Event withMetadata(ObjectMeta replacement) {
        return new EventsV1Event(
                apiVersion,
                kind,
                replacement,
                regarding,
                related,
                reason,
                note,
                type,
                action,
                eventTime,
                series,
                reportingController,
                reportingInstance,
                olderFields);
    }
}
