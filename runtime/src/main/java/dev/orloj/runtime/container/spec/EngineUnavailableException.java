package dev.orloj.runtime.container.spec;

import dev.orloj.runtime.workload.WorkloadException;

import org.jspecify.annotations.Nullable;

/** A container or Pod cannot be started, because its engine does not answer or cannot be used. */
public final class EngineUnavailableException extends WorkloadException {

    private static final long serialVersionUID = 1L;

    public EngineUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
