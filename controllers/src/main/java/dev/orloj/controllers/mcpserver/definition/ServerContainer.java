package dev.orloj.controllers.mcpserver.definition;

import dev.orloj.api.policy.Engine;
import dev.orloj.api.v1.ImagePullPolicy;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerSpec;
import dev.orloj.controllers.policy.PolicyCheck;
import dev.orloj.controllers.policy.RequiredEngine;
import dev.orloj.controllers.sandbox.ContainerPolicy;
import dev.orloj.controllers.sandbox.ServerEngine;
import dev.orloj.runtime.container.spec.ContainerOwner;
import dev.orloj.runtime.container.spec.ContainerSpec;
import dev.orloj.runtime.container.spec.ImageSource;
import dev.orloj.runtime.container.spec.PullPolicy;
import dev.orloj.runtime.container.spec.SecretFile;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Builds the container for a manifest that sets an image, and chooses what runs it. */
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

    /**
     * Returns what runs the image of a server or Sandbox that the policies allow. An engine that a
     * policy requires is never replaced by another one.
     *
     * @param configured has the engine if no policy requires one
     * @throws UnresolvedReferenceException when this orlojd does not have the required engine
     */
    static ServerEngine engine(String namespace, PolicyCheck policies, ContainerPolicy configured) {
        Optional<RequiredEngine> required = policies.requiredEngine(namespace);
        return switch (required.map(RequiredEngine::engine).orElse(Engine.AUTO)) {
            case AUTO, PROCESS -> configured.engine();
            case CONTAINER -> ServerEngine.CONTAINER;
            case POD -> {
                if (configured.engine() == ServerEngine.POD) {
                    yield ServerEngine.POD;
                }
                throw new UnresolvedReferenceException(
                        ServerEngine.UNAVAILABLE,
                        "McpServerPolicy \"%s\" requires engine \"pod\", and this orlojd runs no Pods; start it in a cluster with --container-engine pod, or have a cluster-admin change the policy"
                                .formatted(required.orElseThrow().policy()));
            }
        };
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
