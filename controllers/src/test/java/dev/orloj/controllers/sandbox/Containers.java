package dev.orloj.controllers.sandbox;

import dev.orloj.runtime.container.spec.ContainerIsolation;
import dev.orloj.runtime.container.spec.ContainerOwner;
import dev.orloj.runtime.container.spec.ContainerSpec;
import dev.orloj.runtime.container.spec.ExecTarget;
import dev.orloj.runtime.container.spec.ImageSource;
import dev.orloj.runtime.container.spec.PullPolicy;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Specifications of containers that nothing starts. */
final class Containers {

    private Containers() {}

    static ExecTarget.Shared target(String image) {
        return new ExecTarget.Shared(spec(image));
    }

    static ContainerSpec spec(String image) {
        return spec(new ContainerOwner("default", "box", "uid-1"), image);
    }

    static ContainerSpec spec(ContainerOwner owner, String image) {
        return new ContainerSpec(
                owner,
                new ImageSource(image, PullPolicy.NEVER, Optional.empty()),
                List.of(),
                List.of(),
                Map.of(),
                List.of(),
                ContainerIsolation.DEFAULT,
                false,
                List.of());
    }
}
