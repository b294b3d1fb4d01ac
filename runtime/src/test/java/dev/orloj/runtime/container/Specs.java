package dev.orloj.runtime.container;

import dev.orloj.runtime.container.spec.ContainerIsolation;
import dev.orloj.runtime.container.spec.ContainerOwner;
import dev.orloj.runtime.container.spec.ContainerSpec;
import dev.orloj.runtime.container.spec.HostMount;
import dev.orloj.runtime.container.spec.ImageSource;
import dev.orloj.runtime.container.spec.NetworkAccess;
import dev.orloj.runtime.container.spec.PullPolicy;
import dev.orloj.runtime.container.spec.SecretFile;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Specifications of containers of the test image. */
public final class Specs {

    public static final String IMAGE = "orloj-test/server";
    public static final ContainerOwner OWNER = new ContainerOwner("default", "test", "uid-1");

    private Specs() {}

    /** The test server, without a network. */
    public static ContainerSpec server() {
        return of(IMAGE, List.of(), List.of());
    }

    /** Another program of the test image. */
    public static ContainerSpec program(String... command) {
        return of(IMAGE, List.of(command), List.of());
    }

    public static ContainerSpec of(String image, List<String> entrypoint, List<String> args) {
        return new ContainerSpec(
                OWNER,
                new ImageSource(image, PullPolicy.NEVER, Optional.empty()),
                entrypoint,
                args,
                Map.of(),
                List.of(),
                ContainerIsolation.DEFAULT.withNetwork(NetworkAccess.NONE),
                false,
                List.of());
    }

    public static ContainerSpec withEnv(ContainerSpec spec, Map<String, String> env) {
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

    public static ContainerSpec withIsolation(ContainerSpec spec, ContainerIsolation isolation) {
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

    public static ContainerSpec withMounts(ContainerSpec spec, HostMount... mounts) {
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
