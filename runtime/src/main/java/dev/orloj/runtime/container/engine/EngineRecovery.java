package dev.orloj.runtime.container.engine;

import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;

import dev.orloj.api.Backoff;
import dev.orloj.runtime.workload.WorkloadException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;

/**
 * Polls an engine that is gone until it responds, and then determines what happened to the
 * containers in the meantime: an engine loses its events when it restarts. Thread-safe.
 */
public final class EngineRecovery implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(EngineRecovery.class);
    private static final Backoff BACKOFF =
            Backoff.of(Duration.ofMillis(100), Duration.ofSeconds(10));

    private final EngineConnection engine;
    private final EngineEvents events;
    private final EngineCommands commands;
    private final Runnable whenFound;
    private volatile boolean closed = false;

    /**
     * @param whenFound called when the engine has responded and the ends of containers are known
     */
    public EngineRecovery(
            EngineConnection engine,
            EngineEvents events,
            EngineCommands commands,
            Runnable whenFound) {
        this.engine = engine;
        this.events = events;
        this.commands = commands;
        this.whenFound = whenFound;
    }

    /** Starts the recovery. Returns at once. */
    public void begin() {
        Thread.ofVirtual().name("orloj-engine-recovery").start(this::recover);
    }

    @Override
    public void close() {
        closed = true;
    }

    private void recover() {
        for (int attempt = 1; !closed; attempt++) {
            LockSupport.parkNanos(BACKOFF.delay(attempt).toNanos());
            try {
                events.open();
                events.watched().forEach(this::look);
                whenFound.run();
                log.atInfo()
                        .addKeyValue("engine", engine.name())
                        .log("Container engine answers again");
                return;
            } catch (WorkloadException e) {
                // The engine does not answer yet.
            }
        }
    }

    /** Records the end of a container for which no event will arrive. */
    private void look(String containerId) {
        try {
            InspectContainerResponse found =
                    engine.call(
                            "inspect a container",
                            client -> client.inspectContainerCmd(containerId).exec());
            InspectContainerResponse.ContainerState state = found.getState();
            if ("exited".equals(state.getStatus()) || "dead".equals(state.getStatus())) {
                Long code = Objects.requireNonNullElse(state.getExitCodeLong(), -1L);
                events.ended(
                        containerId, code.intValue(), Boolean.TRUE.equals(state.getOOMKilled()));
                commands.remove(containerId);
            }
        } catch (NotFoundException e) {
            events.forget(containerId);
        } catch (DockerException e) {
            log.atWarn()
                    .addKeyValue("container", containerId)
                    .addKeyValue("error", EngineConnection.reason(e))
                    .log("Container engine does not report the state of a container");
        }
    }
}
