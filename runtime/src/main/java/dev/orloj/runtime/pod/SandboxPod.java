package dev.orloj.runtime.pod;

import dev.orloj.runtime.container.spec.Posture;
import dev.orloj.runtime.container.spec.SharedContainer;
import dev.orloj.runtime.workload.Workload;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A Pod in which several programs run. */
record SandboxPod(ServerPod main, PodExecs execs) implements SharedContainer {

    @Override
    public String name() {
        return main.name();
    }

    /** The log of the Pod has the output of its main program only. */
    @Override
    public Optional<Posture> posture() {
        Posture posture = main.posture();
        return Optional.of(
                new Posture(
                        posture.image(),
                        posture.imageId(),
                        posture.digest(),
                        posture.user(),
                        posture.network(),
                        posture.limits(),
                        posture.relaxations().stream()
                                .filter(text -> !text.equals(PodManifest.MESSAGES_IN_LOG))
                                .toList()));
    }

    @Override
    public CompletableFuture<Posture> inspected() {
        return CompletableFuture.completedFuture(posture().orElseThrow());
    }

    @Override
    public Workload exec(List<String> command, Map<String, String> env)
            throws InterruptedException {
        return execs.start(main, command, env);
    }
}
