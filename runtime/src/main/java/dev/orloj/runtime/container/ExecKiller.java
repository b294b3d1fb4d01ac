package dev.orloj.runtime.container;

import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.model.Frame;

import dev.orloj.runtime.container.engine.EngineConnection;
import dev.orloj.runtime.container.spec.ExecMarker;
import dev.orloj.runtime.workload.ShutdownBudget;
import dev.orloj.runtime.workload.WorkloadException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Kills a program in a container from the inside: the engine can signal a container, but not a
 * single program in it. Requires {@code sh} and {@code cat} in the image.
 *
 * @param marker the marker in the environment of the program and of its descendants
 */
record ExecKiller(EngineConnection engine, String container, ExecMarker marker) {

    private static final Logger log = LoggerFactory.getLogger(ExecKiller.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    /** Kills the processes, and returns when they are dead or cannot be killed. */
    void kill() {
        try {
            String id =
                    engine.call(
                            "end a program in a container",
                            client ->
                                    client.execCreateCmd(container)
                                            .withAttachStdout(true)
                                            .withAttachStderr(true)
                                            .withCmd(marker.killCommand().toArray(String[]::new))
                                            .exec()
                                            .getId());
            CompletableFuture<Void> done = new CompletableFuture<>();
            engine.call(
                    "end a program in a container",
                    client -> client.execStartCmd(id).exec(new Done(done)));
            if (!ShutdownBudget.completes(done, TIMEOUT)) {
                log.atWarn()
                        .addKeyValue("container", container)
                        .log("A program in a container may not have ended");
            }
        } catch (DockerException | WorkloadException e) {
            // The container is gone, and the program with it.
            log.atDebug()
                    .addKeyValue("container", container)
                    .addKeyValue("error", e.getMessage())
                    .log("No program of a container could be ended");
        }
    }

    private static final class Done extends ResultCallback.Adapter<Frame> {

        private final CompletableFuture<Void> done;

        Done(CompletableFuture<Void> done) {
            this.done = done;
        }

        @Override
        public void onComplete() {
            super.onComplete();
            done.complete(null);
        }

        @Override
        public void onError(Throwable failure) {
            super.onError(failure);
            done.complete(null);
        }
    }
}
