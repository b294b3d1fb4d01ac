package dev.orloj.runtime.workload;

import org.jspecify.annotations.Nullable;

/**
 * A workload could not be started. The message names the program and the remedy, never the
 * environment.
 */
public class WorkloadException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public WorkloadException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    public WorkloadException(String message) {
        this(message, null);
    }
}
