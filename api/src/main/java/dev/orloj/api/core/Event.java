package dev.orloj.api.core;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.Kind;
import dev.orloj.api.MicroTime;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.Resource;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.Schema;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.util.List;

/**
 * Something that happened to a resource. Repetitions are counted in one event. In JSON, the fields
 * of all groups are those of one object.
 */
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
        @JsonUnwrapped Occurrences occurrences,
        String action,
        @JsonUnwrapped Reporter reporter,
        @Nullable Series series,
        @Nullable ObjectReference related)
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
                    .normalizer(Event::normalize)
                    .validator(Event::validate)
                    .overwritable()
                    .creatableByUpdate()
                    .strategicMerge()
                    .wholeTable()
                    .columns(EventColumns.core())
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
                    resource.metadata().resourceVersion().toString(),
                    "");
        }
    }

    /** How often it happened, and when. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Occurrences(
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) int count,
            @Nullable Instant firstTimestamp,
            @Nullable Instant lastTimestamp,
            @Nullable MicroTime eventTime) {

        /** It happened once. */
        public static Occurrences once(Instant time) {
            return new Occurrences(1, time, time, null);
        }
    }

    /** The component that observed the event, in the words of older and of newer recorders. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Reporter(
            @Nullable Source source, String reportingComponent, String reportingInstance) {

        public Reporter {
            reportingComponent = orEmpty(reportingComponent);
            reportingInstance = orEmpty(reportingInstance);
        }

        public static Reporter of(String component) {
            return new Reporter(new Source(component, ""), component, "");
        }
    }

    /** The component that observed the event. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Source(String component, String host) {

        public Source {
            component = orEmpty(component);
            host = orEmpty(host);
        }
    }

    /**
     * Repetitions in the form that newer recorders write.
     *
     * @param lastObservedTime when it last happened
     */
    public record Series(int count, @Nullable MicroTime lastObservedTime) {}

    public Event {
        reason = orEmpty(reason);
        message = orEmpty(message);
        type = orEmpty(type);
        action = orEmpty(action);
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
                occurrences,
                action,
                reporter,
                series,
                related);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    /** Rewrites times to the form that typed clients can parse, in either shape of an event. */
    static void normalize(ObjectNode document) {
        MicroTime.normalize(document, "eventTime");
        if (document.path("series") instanceof ObjectNode series) {
            MicroTime.normalize(series, "lastObservedTime");
        }
    }

    private static List<FieldError> validate(Event event) {
        String namespace = event.involvedObject().namespace();
        return namespace.isEmpty() || namespace.equals(event.metadata().namespace())
                ? List.of()
                : List.of(
                        FieldError.invalid(
                                FieldPath.of("involvedObject", "namespace"),
                                namespace,
                                "does not match event.namespace"));
    }
}
