package dev.orloj.api;

import java.util.Arrays;
import java.util.Optional;

/** Machine-readable cause of a failed request: the {@code reason} of a Kubernetes Status. */
public enum ErrorReason {
    BAD_REQUEST("BadRequest", 400),
    UNAUTHORIZED("Unauthorized", 401),
    FORBIDDEN("Forbidden", 403),
    NOT_FOUND("NotFound", 404),
    METHOD_NOT_ALLOWED("MethodNotAllowed", 405),
    NOT_ACCEPTABLE("NotAcceptable", 406),
    CONFLICT("Conflict", 409),
    ALREADY_EXISTS("AlreadyExists", 409),
    INPUT_REQUIRED("InputRequired", 409),
    EXPIRED("Expired", 410),
    REQUEST_ENTITY_TOO_LARGE("RequestEntityTooLarge", 413),
    UNSUPPORTED_MEDIA_TYPE("UnsupportedMediaType", 415),
    INVALID("Invalid", 422),
    TOO_MANY_REQUESTS("TooManyRequests", 429),
    INTERNAL_ERROR("InternalError", 500),
    BAD_GATEWAY("BadGateway", 502),
    SERVICE_UNAVAILABLE("ServiceUnavailable", 503),
    TIMEOUT("Timeout", 504);

    private final String wireName;
    private final int code;

    ErrorReason(String wireName, int code) {
        this.wireName = wireName;
        this.code = code;
    }

    public String wireName() {
        return wireName;
    }

    /** Returns the HTTP status code for this reason. */
    public int code() {
        return code;
    }

    public static Optional<ErrorReason> ofWireName(String wireName) {
        return Arrays.stream(values()).filter(r -> r.wireName.equals(wireName)).findFirst();
    }
}
