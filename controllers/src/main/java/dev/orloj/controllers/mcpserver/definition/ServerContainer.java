package dev.orloj.controllers.mcpserver.definition;

import dev.orloj.api.v1.ImagePullPolicy;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerSpec;
import dev.orloj.controllers.sandbox.ContainerPolicy;
import dev.orloj.runtime.container.spec.ContainerOwner;
import dev.orloj.runtime.container.spec.ContainerSpec;
import dev.orloj.runtime.container.spec.ImageSource;
import dev.orloj.runtime.container.spec.PullPolicy;
import dev.orloj.runtime.container.spec.SecretFile;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Builds the container for a manifest that sets an image. */
final class ServerContainer {

    private ServerContainer() {}

    /**
     * @param variables of the container
     * @param values looks up the secrets of files
     */
    static ContainerSpec of(
            McpServer server,
            McpServerSpec.Program program,
            McpServerSpec.Image image,
            Map<String, String> variables,
            ReferencedValues values,
            ContainerPolicy policy) {
        return new ContainerSpec(
                new ContainerOwner(
                        server.metadata().namespace(),
                        server.metadata().name(),
                        server.metadata().uid()),
                image(image.name(), image.imagePullPolicy(), image.imagePullSecret(), values),
                DefinitionResolver.words(program.command()),
                program.args(),
                variables,
                secretFiles(program.env(), values),
                policy.isolation(image.resources(), image.network()),
                Boolean.TRUE.equals(image.trustImageConfig()),
                List.of());
    }

    static ImageSource image(
            String image,
            @Nullable ImagePullPolicy policy,
            String pullSecret,
            ReferencedValues values) {
        ImageSource anonymous =
                new ImageSource(image.strip(), pullPolicy(policy), Optional.empty());
        return pullSecret.isEmpty()
                ? anonymous
                : new ImageSource(
                        anonymous.name(),
                        anonymous.pullPolicy(),
                        Optional.of(PullCredential.of(pullSecret, anonymous.registry(), values)));
    }

    /** Uses an image that is present, whatever its tag: a session must not wait for a registry. */
    private static PullPolicy pullPolicy(@Nullable ImagePullPolicy given) {
        return switch (given) {
            case ALWAYS -> PullPolicy.ALWAYS;
            case NEVER -> PullPolicy.NEVER;
            case IF_NOT_PRESENT -> PullPolicy.IF_NOT_PRESENT;
            case null -> PullPolicy.IF_NOT_PRESENT;
        };
    }

    static List<SecretFile> secretFiles(List<McpServer.EnvVar> env, ReferencedValues values) {
        return env.stream()
                .filter(variable -> !variable.mountPath().isEmpty())
                .map(
                        variable -> {
                            values.at("spec.env[%d].secretRef", env.indexOf(variable));
                            return new SecretFile(
                                    variable.mountPath(), values.encoded(variable.secretRef()));
                        })
                .toList();
    }
}
