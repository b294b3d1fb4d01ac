package dev.orloj.api.v1;

import dev.orloj.api.Advice;
import dev.orloj.api.v1.McpServerSpec.Hosting;
import dev.orloj.api.v1.McpServerSpec.Program;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Returns advice about valid manifests with containers. */
final class ContainerAdvice {

    /** The container starts again and again, and downloads its program each time. */
    static final String SLOW_START = "SlowStart";

    /** Every user of the engine can read the secret in the environment of the container. */
    static final String SECRET_IN_ENVIRONMENT = "SecretInEnvironment";

    private static final Set<String> RUNNERS = Set.of("npx", "uvx", "pnpx", "bunx", "pipx");

    private ContainerAdvice() {}

    static List<Advice> of(McpServer server) {
        McpServerSpec spec = server.spec();
        if (!(spec.hosting() instanceof Hosting.OwnContainer(Program program, _))) {
            return List.of();
        }
        List<Advice> advice = new ArrayList<>();
        if (spec.lifetime().startsOnDemand()) {
            runner(program).map(ContainerAdvice::slowStart).ifPresent(advice::add);
        }
        secrets(program.env(), program.envFrom()).ifPresent(advice::add);
        return advice;
    }

    static List<Advice> of(Sandbox sandbox) {
        return secrets(sandbox.spec().env(), List.of()).map(List::of).orElse(List.of());
    }

    private static Optional<String> runner(Program program) {
        return Stream.concat(
                        Stream.of(program.command().strip().split("\\s+")), program.args().stream())
                .filter(word -> !word.isEmpty())
                .findFirst()
                .map(word -> word.substring(word.lastIndexOf('/') + 1))
                .filter(RUNNERS::contains);
    }

    private static Advice slowStart(String runner) {
        return new Advice(
                SLOW_START,
                ("spec.idle_timeout: the container is started again after each pause, and %s then"
                     + " downloads its package again, since nothing is kept; use an image that has"
                     + " the package, or lifecycle always_on")
                        .formatted(runner));
    }

    /**
     * Returns advice about secrets in variables. Variables with a mountPath contain only a path.
     */
    private static Optional<Advice> secrets(
            List<McpServer.EnvVar> env, List<McpServer.EnvSource> envFrom) {
        String plain =
                Stream.concat(
                                env.stream()
                                        .filter(variable -> !variable.secretRef().isEmpty())
                                        .filter(variable -> variable.mountPath().isEmpty())
                                        .map(McpServer.EnvVar::name),
                                envFrom.stream()
                                        .flatMap(s -> Stream.ofNullable(s.secretRef()))
                                        .map(ref -> "all of Secret " + ref.name()))
                        .collect(Collectors.joining(", "));
        return plain.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Advice(
                                SECRET_IN_ENVIRONMENT,
                                ("spec.env: every user of the container engine can read these"
                                     + " secrets with docker inspect: %s; give them a mountPath"
                                     + " where the server takes a file")
                                        .formatted(plain)));
    }
}
