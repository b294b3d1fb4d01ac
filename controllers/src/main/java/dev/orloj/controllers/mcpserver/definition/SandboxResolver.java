package dev.orloj.controllers.mcpserver.definition;

import dev.orloj.api.FieldError;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.core.Secret;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.controllers.events.ConditionMessage;
import dev.orloj.controllers.policy.PolicyCheck;
import dev.orloj.controllers.sandbox.ContainerPolicy;
import dev.orloj.controllers.sandbox.MountResolution;
import dev.orloj.controllers.sandbox.SandboxReconciler;
import dev.orloj.controllers.sandbox.SandboxResolution;
import dev.orloj.controllers.sandbox.ServerEngine;
import dev.orloj.controllers.secret.OperatorSecrets;
import dev.orloj.runtime.container.spec.ContainerSpec;
import dev.orloj.runtime.container.spec.ExecTarget;
import dev.orloj.runtime.container.spec.HostMount;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Resolves a Sandbox to the container or Pod that its servers share. Immutable and thread-safe. */
public final class SandboxResolver {

    private final Function<ResourceKey, Optional<Secret>> secrets;
    private final ContainerPolicy policy;
    private final OperatorSecrets operatorSecrets;
    private final PolicyCheck policies;

    public SandboxResolver(
            Function<ResourceKey, Optional<Secret>> secrets, ServerDefaults defaults) {
        this(secrets, defaults, PolicyCheck.NONE);
    }

    /**
     * @param policies what Sandboxes may run now
     */
    public SandboxResolver(
            Function<ResourceKey, Optional<Secret>> secrets,
            ServerDefaults defaults,
            PolicyCheck policies) {
        this.policies = policies;
        this.secrets = secrets;
        this.policy = defaults.containers();
        this.operatorSecrets = defaults.secrets();
    }

    public SandboxResolution resolve(Sandbox sandbox) {
        MountResolution mounts = policy.mounts(sandbox.spec());
        String objection = policies.objection(sandbox, mounts);
        if (!objection.isEmpty()) {
            return new SandboxResolution.Refused(
                    PolicyCheck.VIOLATED, ConditionMessage.of(objection));
        }
        ServerEngine engine;
        try {
            engine = ServerContainer.engine(sandbox.metadata().namespace(), policies, policy);
        } catch (UnresolvedReferenceException e) {
            return refused(e);
        }
        if (engine == ServerEngine.POD && !sandbox.spec().mounts().isEmpty()) {
            return new SandboxResolution.Refused(
                    DefinitionResolver.MOUNT_REFUSED,
                    "spec.mounts: this Sandbox runs in a Pod, which has no folders of the host of"
                            + " orlojd; remove the field, and copy what is needed into the image");
        }
        return switch (mounts) {
            case MountResolution.Resolved folders -> resolve(sandbox, engine, folders.mounts());
            case MountResolution.Refused refused ->
                    new SandboxResolution.Refused(
                            DefinitionResolver.MOUNT_REFUSED,
                            refused.errors().stream()
                                    .map(FieldError::toString)
                                    .collect(Collectors.joining("; ")));
        };
    }

    private static SandboxResolution refused(UnresolvedReferenceException cause) {
        return new SandboxResolution.Refused(
                cause.reason(), ConditionMessage.of(String.valueOf(cause.getMessage())));
    }

    private SandboxResolution resolve(
            Sandbox sandbox, ServerEngine engine, List<HostMount> mounts) {
        List<FieldError> excesses = policy.check(sandbox.spec());
        if (!excesses.isEmpty()) {
            return new SandboxResolution.Refused(
                    DefinitionResolver.POLICY_VIOLATED, DefinitionResolver.describe(excesses));
        }
        String namespace = sandbox.metadata().namespace();
        ReferencedValues values =
                new ReferencedValues(
                        name -> secrets.apply(new ResourceKey(namespace, name)),
                        name -> Optional.empty(),
                        operatorSecrets,
                        namespace);
        try {
            ContainerSpec container = container(sandbox, values, mounts);
            return new SandboxResolution.Resolved(
                    switch (engine) {
                        case CONTAINER -> new ExecTarget.Shared(container);
                        case POD -> new ExecTarget.SharedPod(container);
                    });
        } catch (UnresolvedReferenceException e) {
            return refused(e);
        }
    }

    private ContainerSpec container(
            Sandbox sandbox, ReferencedValues values, List<HostMount> mounts) {
        Sandbox.Spec spec = sandbox.spec();
        Map<String, String> variables = new LinkedHashMap<>();
        for (McpServer.EnvVar variable : spec.env()) {
            variables.put(variable.name(), Environment.value(variable, values));
        }
        return new ContainerSpec(
                SandboxReconciler.owner(sandbox),
                ServerContainer.image(
                        spec.image(), spec.imagePullPolicy(), spec.imagePullSecret(), values),
                DefinitionResolver.words(spec.command()),
                spec.args(),
                variables,
                ServerContainer.secretFiles(spec.env(), values),
                policy.isolation(spec.resources(), spec.network()),
                false,
                mounts);
    }
}
