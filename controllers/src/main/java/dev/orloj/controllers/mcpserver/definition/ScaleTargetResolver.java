package dev.orloj.controllers.mcpserver.definition;

import dev.orloj.api.pod.ScaleTargetRef;
import dev.orloj.api.v1.McpServer;
import dev.orloj.controllers.sandbox.ServerEngine;
import dev.orloj.runtime.scale.ScaledServer;

import java.util.Optional;

/** Resolves what runs a server over HTTP in the cluster. */
final class ScaleTargetResolver {

    private ScaleTargetResolver() {}

    /**
     * Returns what orlojd scales for a server, if anything.
     *
     * @throws UnresolvedReferenceException when this orlojd has no cluster
     */
    static Optional<ScaledServer> of(McpServer server, ServerDefaults defaults) {
        ScaleTargetRef target = server.spec().http().scaleTargetRef();
        if (target == null) {
            return Optional.empty();
        }
        if (defaults.containers().engine() != ServerEngine.POD) {
            throw new UnresolvedReferenceException(
                    ServerEngine.UNAVAILABLE,
                    "spec.scale_target_ref requires a cluster, and this orlojd uses none; start it"
                            + " in a cluster with --container-engine pod, or remove the field");
        }
        return Optional.of(
                new ScaledServer(
                        server.key(),
                        target,
                        SpecPolicies.duration(
                                server.spec().lifetime().startupTimeout(),
                                defaults.startupTimeout())));
    }
}
