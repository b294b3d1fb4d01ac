package dev.orloj.runtime.container;

import dev.orloj.runtime.container.spec.Posture;
import dev.orloj.runtime.container.spec.SharedContainer;
import dev.orloj.runtime.workload.Workload;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A container of Docker or Podman in which several programs run. */
record SandboxContainer(DockerContainer main, ContainerExecs execs) implements SharedContainer {

    @Override
    public String name() {
        return main.name();
    }

    @Override
    public Optional<Posture> posture() {
        return main.posture();
    }

    @Override
    public CompletableFuture<Posture> inspected() {
        return main.looked();
    }

    @Override
    public Workload exec(List<String> command, Map<String, String> env) {
        return execs.start(main.id(), command, env);
    }
}
