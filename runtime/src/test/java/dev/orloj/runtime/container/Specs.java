package dev.orloj.runtime.container;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Specifications of containers of the test image. */
final class Specs {

    static final String IMAGE = "orloj-test/server";
    static final ContainerOwner OWNER = new ContainerOwner("default", "test", "uid-1");

    private Specs() {}

    /** The test server, without a network. */
    static ContainerSpec server() {
        return of(IMAGE, List.of(), List.of());
    }

    /** Another program of the test image. */
    static ContainerSpec program(String... command) {
        return of(IMAGE, List.of(command), List.of());
    }

    static ContainerSpec of(String image, List<String> entrypoint, List<String> args) {
        return new ContainerSpec(
                OWNER,
                new ImageSource(image, PullPolicy.NEVER, Optional.empty()),
                entrypoint,
                args,
                Map.of(),
                List.of(),
                Isolation.DEFAULT.withNetwork(NetworkAccess.NONE),
                false,
                List.of());
    }

    static ContainerSpec withEnv(ContainerSpec spec, Map<String, String> env) {
        return new ContainerSpec(
                spec.owner(),
                spec.image(),
                spec.entrypoint(),
                spec.args(),
                env,
                spec.secretFiles(),
                spec.isolation(),
                spec.trustsImage(),
                spec.mounts());
    }

    static ContainerSpec withIsolation(ContainerSpec spec, Isolation isolation) {
        return new ContainerSpec(
                spec.owner(),
                spec.image(),
                spec.entrypoint(),
                spec.args(),
                spec.env(),
                spec.secretFiles(),
                isolation,
                spec.trustsImage(),
                spec.mounts());
    }

    static ContainerSpec withSecretFiles(ContainerSpec spec, SecretFile... files) {
        return new ContainerSpec(
                spec.owner(),
                spec.image(),
                spec.entrypoint(),
                spec.args(),
                spec.env(),
                List.of(files),
                spec.isolation(),
                spec.trustsImage(),
                spec.mounts());
    }

    static ContainerSpec withMounts(ContainerSpec spec, HostMount... mounts) {
        return new ContainerSpec(
                spec.owner(),
                spec.image(),
                spec.entrypoint(),
                spec.args(),
                spec.env(),
                spec.secretFiles(),
                spec.isolation(),
                spec.trustsImage(),
                List.of(mounts));
    }
}
