package dev.orloj.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/** Answer to a request that has no resource to answer with: every error, and most deletions. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonPropertyOrder({"kind", "apiVersion", "metadata", "status", "message", "reason", "details"})
public record Status(
        String kind,
        String apiVersion,
        @JsonInclude(JsonInclude.Include.ALWAYS) Map<String, Object> metadata,
        String status,
        String message,
        String reason,
        @Nullable Details details,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) int code) {

    /**
     * What the status is about.
     *
     * @param kind the plural, but the name of the kind when the reason is {@code Invalid}
     * @param retryAfterSeconds 0 when a retry is not suggested
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Details(
            String name,
            String group,
            String kind,
            String uid,
            List<Cause> causes,
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) int retryAfterSeconds) {

        public Details {
            name = name == null ? "" : name;
            group = group == null ? "" : group;
            kind = kind == null ? "" : kind;
            uid = uid == null ? "" : uid;
            causes = causes == null ? List.of() : List.copyOf(causes);
        }

        public static Details of(String group, String plural, String name) {
            return new Details(name, group, plural, "", List.of(), 0);
        }
    }

    /** One of several reasons, with the field it is about. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Cause(String reason, String message, String field) {

        public Cause {
            reason = reason == null ? "" : reason;
            message = message == null ? "" : message;
            field = field == null ? "" : field;
        }
    }

    public Status {
        metadata = metadata == null ? Map.of() : metadata;
        status = status == null ? "" : status;
        message = message == null ? "" : message;
        reason = reason == null ? "" : reason;
    }

    public static Status failure(ErrorReason reason, String message, @Nullable Details details) {
        return new Status(
                "Status",
                "v1",
                Map.of(),
                "Failure",
                message,
                reason.wireName(),
                details,
                reason.code());
    }

    /** The same, with a token by which a list may go on. */
    Status continuedAt(String token) {
        return new Status(
                kind,
                apiVersion,
                Map.of("continue", token),
                status,
                message,
                reason,
                details,
                code);
    }

    /** Answer to a deletion that is done. */
    public static Status deleted(Kind<?> kind, String name, String uid) {
        return new Status(
                "Status",
                "v1",
                Map.of(),
                "Success",
                "",
                "",
                new Details(name, kind.group(), kind.plural(), uid, List.of(), 0),
                0);
    }
}
