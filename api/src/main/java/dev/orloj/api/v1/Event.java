package dev.orloj.api.v1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

import dev.orloj.api.Kind;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.Resource;
import dev.orloj.api.codec.Column;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.Schema;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.util.Locale;

/** Something that happened to a resource; repetitions are counted in one event. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonPropertyOrder({"apiVersion", "kind", "metadata", "involvedObject", "reason", "message"})
public record Event(
        String apiVersion,
        String kind,
        ObjectMeta metadata,
        ObjectReference involvedObject,
        String reason,
        String message,
        String type,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) int count,
        @Nullable Instant firstTimestamp,
        @Nullable Instant lastTimestamp,
        @Nullable Instant eventTime,
        String action,
        @Nullable Source source,
        String reportingComponent,
        String reportingInstance)
        implements Resource {

    public static final Kind<Event> KIND =
            new Kind<>("", "v1", "Event", "events", true, Event.class);

    public static final String NORMAL = "Normal";
    public static final String WARNING = "Warning";

    public static final KindDescriptor<Event> DESCRIPTOR =
            KindDescriptor.of(KIND, Schema.fromResource(Event.class, "event.schema.json"))
                    .shortNames("ev")
                    .shard(KindDescriptor.Shard.EVENTS)
                    .selectable("involvedObject.kind", "/involvedObject/kind")
                    .selectable("involvedObject.namespace", "/involvedObject/namespace")
                    .selectable("involvedObject.name", "/involvedObject/name")
                    .selectable("involvedObject.uid", "/involvedObject/uid")
                    .selectable("involvedObject.apiVersion", "/involvedObject/apiVersion")
                    .selectable("involvedObject.resourceVersion", "/involvedObject/resourceVersion")
                    .selectable("involvedObject.fieldPath", "/involvedObject/fieldPath")
                    .selectable("reason", "/reason")
                    .selectable("type", "/type")
                    .selectable("reportingComponent", "/reportingComponent")
                    .selectable("source", "/source/component")
                    .columns(
                            Column.age("Last Seen", "When it last happened", "/lastTimestamp"),
                            Column.text("Type", "Normal or Warning", Column.at("/type")),
                            Column.text("Reason", "What happened, in a word", Column.at("/reason")),
                            Column.text("Object", "What it happened to", Event::objectName),
                            Column.integer("Count", "How often it happened", Column.at("/count"))
                                    .onlyWide(),
                            Column.text("Message", "What happened", Column.at("/message")))
                    .build();

    /** The resource that an event is about. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record ObjectReference(
            String apiVersion,
            String kind,
            String namespace,
            String name,
            String uid,
            String resourceVersion,
            String fieldPath) {

        public ObjectReference {
            apiVersion = orEmpty(apiVersion);
            kind = orEmpty(kind);
            namespace = orEmpty(namespace);
            name = orEmpty(name);
            uid = orEmpty(uid);
            resourceVersion = orEmpty(resourceVersion);
            fieldPath = orEmpty(fieldPath);
        }

        public static ObjectReference to(Resource resource) {
            return new ObjectReference(
                    resource.apiVersion(),
                    resource.kind(),
                    resource.metadata().namespace(),
                    resource.metadata().name(),
                    resource.metadata().uid(),
                    "",
                    "");
        }
    }

    /** Who saw it happen. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Source(String component, String host) {

        public Source {
            component = orEmpty(component);
            host = orEmpty(host);
        }
    }

    public Event {
        reason = orEmpty(reason);
        message = orEmpty(message);
        type = orEmpty(type);
        action = orEmpty(action);
        reportingComponent = orEmpty(reportingComponent);
        reportingInstance = orEmpty(reportingInstance);
    }

    @Override
    public Event withMetadata(ObjectMeta replacement) {
        return new Event(
                apiVersion,
                kind,
                replacement,
                involvedObject,
                reason,
                message,
                type,
                count,
                firstTimestamp,
                lastTimestamp,
                eventTime,
                action,
                source,
                reportingComponent,
                reportingInstance);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static String objectName(ObjectNode event) {
        return "%s/%s"
                .formatted(
                        event.at("/involvedObject/kind").asString("").toLowerCase(Locale.ROOT),
                        event.at("/involvedObject/name").asString(""));
    }
}
