package dev.orloj.api;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A request that failed with an error for the client. Code that knows the input throws it. The HTTP
 * layer converts it to a {@link Status}.
 */
public final class ApiException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The most errors that one response lists. */
    private static final int MAX_ERRORS = 100;

    private final ErrorReason reason;
    private final transient Status.@Nullable Details details;
    private final String continueToken;

    public ApiException(ErrorReason reason, String message, Status.@Nullable Details details) {
        this(reason, message, details, "");
    }

    private ApiException(
            ErrorReason reason,
            String message,
            Status.@Nullable Details details,
            String continueToken) {
        super(message);
        this.reason = reason;
        this.details = details;
        this.continueToken = continueToken;
    }

    public ApiException(ErrorReason reason, String message) {
        this(reason, message, null);
    }

    public static ApiException badRequest(String message) {
        return new ApiException(ErrorReason.BAD_REQUEST, message);
    }

    public static ApiException notFound(Kind<?> kind, String name) {
        return about(ErrorReason.NOT_FOUND, kind, name, "not found");
    }

    public static ApiException alreadyExists(Kind<?> kind, String name) {
        return about(ErrorReason.ALREADY_EXISTS, kind, name, "already exists");
    }

    /** The resource has changed since the client read it. */
    public static ApiException conflict(Kind<?> kind, String name) {
        return conflict(
                kind,
                name,
                "the object has been modified; please apply your changes to the latest version and"
                        + " try again");
    }

    public static ApiException conflict(Kind<?> kind, String name, String why) {
        return new ApiException(
                ErrorReason.CONFLICT,
                "Operation cannot be fulfilled on %s \"%s\": %s"
                        .formatted(kind.groupResource(), name, why),
                Status.Details.of(kind.group(), kind.plural(), name));
    }

    public static ApiException forbidden(Kind<?> kind, String name, String why) {
        return about(ErrorReason.FORBIDDEN, kind, name, "is forbidden: " + why);
    }

    /** Creates an exception that lists all errors of a document. */
    public static ApiException invalid(Kind<?> kind, String name, List<FieldError> all) {
        List<FieldError> errors = all.subList(0, Math.min(all.size(), MAX_ERRORS));
        String more =
                all.size() > MAX_ERRORS ? " and %d more".formatted(all.size() - MAX_ERRORS) : "";
        String text =
                errors.size() == 1
                        ? errors.getFirst().toString()
                        : errors.stream()
                                .map(FieldError::toString)
                                .collect(Collectors.joining(", ", "[", "]"));
        String qualified = kind.group().isEmpty() ? kind.name() : kind.name() + "." + kind.group();
        List<Status.Cause> causes =
                errors.stream()
                        .map(
                                e ->
                                        new Status.Cause(
                                                e.type().name(), e.message(), e.path().toString()))
                        .toList();
        return new ApiException(
                ErrorReason.INVALID,
                "%s \"%s\" is invalid: %s%s".formatted(qualified, name, text, more),
                new Status.Details(name, kind.group(), kind.name(), "", causes, 0));
    }

    /**
     * Creates an exception for a watch or a continue token that is older than the change log or
     * newer than the store.
     */
    public static ApiException expired(String message) {
        return new ApiException(ErrorReason.EXPIRED, message);
    }

    /**
     * @param continueToken continues the list from the same position, with the current state
     */
    public static ApiException expired(String message, String continueToken) {
        return new ApiException(ErrorReason.EXPIRED, message, null, continueToken);
    }

    private static ApiException about(ErrorReason reason, Kind<?> kind, String name, String what) {
        return new ApiException(
                reason,
                "%s \"%s\" %s".formatted(kind.groupResource(), name, what),
                Status.Details.of(kind.group(), kind.plural(), name));
    }

    public ErrorReason reason() {
        return reason;
    }

    public Optional<Status.Details> details() {
        return Optional.ofNullable(details);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }

    public Status toStatus() {
        Status status = Status.failure(reason, getMessage(), details);
        return continueToken.isEmpty() ? status : status.continuedAt(continueToken);
    }
}
