package dev.orloj.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/** The response to a request that returns no resource: every error and most deletions. */
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
     * The resource that the status is about.
     *
     * @param kind the plural, or the name of the kind when the reason is {@code Invalid}
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

    /** One of several causes, with its field. */
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

    /** Returns the same status with a token that continues a list. */
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

    /** Returns the response to a completed deletion. */
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
