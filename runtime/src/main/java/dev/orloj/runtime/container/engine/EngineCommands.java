package dev.orloj.runtime.container.engine;

import com.github.dockerjava.api.exception.ConflictException;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;

import dev.orloj.runtime.workload.WorkloadException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops and removes containers at the engine. No method fails: if the engine does not respond now,
 * the next sweep repeats the command. Thread-safe.
 */
public final class EngineCommands {

    private static final Logger log = LoggerFactory.getLogger(EngineCommands.class);

    private final EngineConnection engine;
    private final EngineEvents events;

    public EngineCommands(EngineConnection engine, EngineEvents events) {
        this.engine = engine;
        this.events = events;
    }

    public void signal(String containerId, String signal) {
        try {
            engine.run(
                    "signal a container",
                    client -> client.killContainerCmd(containerId).withSignal(signal).exec());
        } catch (NotFoundException | ConflictException e) {
            // The container has ended or is already removed.
        } catch (DockerException e) {
            // Podman has no error code of its own for that.
            if (!EngineConnection.reason(e).contains("no such container")) {
                ignored("signal", containerId, e);
            }
        } catch (WorkloadException e) {
            ignored("signal", containerId, e);
        }
    }

    /** Removes the container, killing it if necessary, and returns when it is gone. */
    public void remove(String containerId) {
        try {
            engine.run(
                    "remove a container",
                    client ->
                            client.removeContainerCmd(containerId)
                                    .withForce(true)
                                    .withRemoveVolumes(true)
                                    .exec());
            events.forget(containerId);
        } catch (NotFoundException e) {
            events.forget(containerId);
        } catch (ConflictException e) {
            // The removal is in progress.
        } catch (DockerException | WorkloadException e) {
            ignored("remove", containerId, e);
            events.forget(containerId);
        }
    }

    private static void ignored(String what, String containerId, RuntimeException failure) {
        log.atWarn()
                .addKeyValue("command", what)
                .addKeyValue("container", containerId)
                .addKeyValue("error", failure.getMessage())
                .log("Container engine did not execute a command");
    }
}
