package dev.orloj.server.rest.http;

import dev.orloj.api.ErrorReason;
import dev.orloj.api.Status;

import java.util.Arrays;
import java.util.Map;

/** Makes the errors that are known by their HTTP status only. */
final class HttpErrors {

    private static final Map<ErrorReason, String> MESSAGES =
            Map.of(
                    ErrorReason.BAD_REQUEST,
                    "the request is malformed: check the path, the headers and their encoding",
                    ErrorReason.NOT_FOUND,
                    "the server could not find the requested resource",
                    ErrorReason.METHOD_NOT_ALLOWED,
                    "the server does not allow this method on the requested resource",
                    ErrorReason.REQUEST_ENTITY_TOO_LARGE,
                    "the request is too large");

    private HttpErrors() {}

    static Status ofCode(int code) {
        ErrorReason reason =
                Arrays.stream(ErrorReason.values())
                        .filter(r -> r.code() == code)
                        .findFirst()
                        .orElse(code < 500 ? ErrorReason.BAD_REQUEST : ErrorReason.INTERNAL_ERROR);
        String fallback = code < 500 ? "the request cannot be handled" : "Internal error occurred";
        Status status = Status.failure(reason, MESSAGES.getOrDefault(reason, fallback), null);
        return new Status(
                status.kind(),
                status.apiVersion(),
                status.metadata(),
                status.status(),
                status.message(),
                status.reason(),
                status.details(),
                code);
    }

    /**
     * @param id of the log entry with the details
     */
    static Status unexpected(String id) {
        return Status.failure(
                ErrorReason.INTERNAL_ERROR,
                "Internal error occurred: see the log of the server under the id " + id,
                null);
    }
}
