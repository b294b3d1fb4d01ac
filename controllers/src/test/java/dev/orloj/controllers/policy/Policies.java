package dev.orloj.controllers.policy;

import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.ResourceCodec;
import dev.orloj.api.policy.McpServerPolicy;
import dev.orloj.controllers.sandbox.ContainerPolicy;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Map;

/** McpServerPolicies as people write them. */
public final class Policies {

    private Policies() {}

    /**
     * @param spec JSON, the braces around it left out
     */
    public static McpServerPolicy policy(String name, String spec) {
        return ResourceCodec.fromDocument(
                McpServerPolicy.KIND,
                (ObjectNode)
                        Json.MAPPER.readTree(
                                """
                                {"apiVersion": "orloj.dev/v1", "kind": "McpServerPolicy",
                                 "metadata": {"name": "%s"}, "spec": {%s}}
                                """
                                        .formatted(name, spec)));
    }

    public static McpServerPolicy engine(String name, String engine) {
        return policy(name, "\"engine\": \"%s\"".formatted(engine));
    }

    /** Returns the check by these policies, for namespaces without labels. */
    public static PolicyCheck check(McpServerPolicy... policies) {
        return new PolicyCheck(
                () -> List.of(policies), namespace -> Map.of(), ContainerPolicy.DEFAULT);
    }
}
