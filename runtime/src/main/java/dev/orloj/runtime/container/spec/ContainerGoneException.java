package dev.orloj.runtime.container.spec;

import dev.orloj.runtime.workload.WorkloadException;

import org.jspecify.annotations.Nullable;

/** The container in which a program was to run is not running, and orlojd may not start it. */
public final class ContainerGoneException extends WorkloadException {

    private static final long serialVersionUID = 1L;

    public ContainerGoneException(String container, String why, @Nullable Throwable cause) {
        super(
                "Container \"%s\" is gone: %s; nothing is started in its place until its owner starts it and the server is restarted or called"
                        .formatted(container, why),
                cause);
    }
}
