package dev.orloj.server.admission;

import dev.orloj.api.FieldError;
import dev.orloj.api.Kind;
import dev.orloj.api.Resource;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.controllers.sandbox.ContainerPolicy;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/**
 * Checks containers and Pods by the policy of the operator.
 *
 * @param policy the settings of this orlojd
 */
public record ContainerRule(ContainerPolicy policy) implements AdmissionRule {

    @Override
    public List<FieldError> check(Resource resource) {
        return policy.check(resource);
    }

    @Override
    public List<String> warnings(Kind<?> kind, ObjectNode document) {
        return switch (policy.engine()) {
            case CONTAINER ->
                    kind.equals(McpServer.KIND) && document.at("/spec/pod").isObject()
                            ? List.of(
                                    "spec.pod has no effect: this orlojd runs images in containers"
                                            + " of Docker or Podman, not in Pods"
                                            + " (--container-engine)")
                            : List.of();
            case POD ->
                    kind.equals(Sandbox.KIND) && !document.at("/spec/mounts").isEmpty()
                            ? List.of(
                                    "spec.mounts is not possible in a Pod: unless an"
                                        + " McpServerPolicy requires engine \"container\", the"
                                        + " Sandbox is not accepted; copy what is needed into the"
                                        + " image")
                            : List.of();
        };
    }
}
