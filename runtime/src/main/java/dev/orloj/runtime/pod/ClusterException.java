package dev.orloj.runtime.pod;

import dev.orloj.runtime.workload.WorkloadException;

import org.jspecify.annotations.Nullable;

/** The API server of the cluster refused a request, or did not answer. */
final class ClusterException extends WorkloadException {

    private static final long serialVersionUID = 1L;

    /** The status of a request that got no answer. */
    static final int NO_ANSWER = 0;

    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final int GONE = 410;

    private final int status;

    /**
     * @param status HTTP status code, or {@link #NO_ANSWER}
     */
    ClusterException(int status, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.status = status;
    }

    boolean isNotFound() {
        return status == NOT_FOUND;
    }

    /** Returns whether the object has changed since it was read. */
    boolean isConflict() {
        return status == CONFLICT;
    }

    /** Returns whether a watch cannot continue, because its resource version is too old. */
    boolean isExpired() {
        return status == GONE;
    }
}
