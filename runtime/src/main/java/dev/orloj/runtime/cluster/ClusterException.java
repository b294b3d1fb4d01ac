package dev.orloj.runtime.cluster;

import dev.orloj.runtime.workload.WorkloadException;

import org.jspecify.annotations.Nullable;

/** The API server of the cluster refused a request, or did not answer. */
public final class ClusterException extends WorkloadException {

    private static final long serialVersionUID = 1L;

    /** The status of a request that got no answer. */
    public static final int NO_ANSWER = 0;

    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final int GONE = 410;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int FIRST_SERVER_ERROR = 500;

    private final int status;

    /**
     * @param status HTTP status code, or {@link #NO_ANSWER}
     */
    public ClusterException(int status, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.status = status;
    }

    /** Returns the same failure with more to say about it. */
    public ClusterException with(String remedy) {
        return new ClusterException(status, getMessage() + remedy, this);
    }

    /** Returns whether the service account has no right to do this. */
    public boolean isForbidden() {
        return status == FORBIDDEN;
    }

    /** Returns whether the API server did not answer, or could not do now what it may do later. */
    public boolean mayPass() {
        return status == NO_ANSWER || status == TOO_MANY_REQUESTS || status >= FIRST_SERVER_ERROR;
    }

    public boolean isNotFound() {
        return status == NOT_FOUND;
    }

    /** Returns whether the object has changed since it was read. */
    public boolean isConflict() {
        return status == CONFLICT;
    }

    /** Returns whether a watch cannot continue, because its resource version is too old. */
    public boolean isExpired() {
        return status == GONE;
    }
}
