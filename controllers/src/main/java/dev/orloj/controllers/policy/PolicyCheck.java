package dev.orloj.controllers.policy;

import dev.orloj.api.Resource;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.core.Namespace;
import dev.orloj.api.policy.McpServerPolicy;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.controllers.informer.Informer;
import dev.orloj.controllers.sandbox.ContainerPolicy;
import dev.orloj.controllers.sandbox.MountResolution;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Checks resources that are about to run with the policies that are known at that time. Safe for
 * many threads.
 */
public final class PolicyCheck {

    /** The reason of a condition while a policy forbids what the manifest wants. */
    public static final String VIOLATED = "PolicyViolation";

    /** Allows everything. */
    public static final PolicyCheck NONE =
            new PolicyCheck(List::of, namespace -> Map.of(), ContainerPolicy.DEFAULT);

    private final Supplier<? extends Collection<McpServerPolicy>> policies;
    private final Function<String, Map<String, String>> labels;
    private final ContainerPolicy containers;

    /**
     * @param labels returns the labels of a namespace
     * @param containers what a container gets whose manifest sets nothing
     */
    public PolicyCheck(
            Supplier<? extends Collection<McpServerPolicy>> policies,
            Function<String, Map<String, String>> labels,
            ContainerPolicy containers) {
        this.containers = containers;
        this.policies = policies;
        this.labels = labels;
    }

    /**
     * Returns a check with the policies and labels in the caches of informers.
     *
     * @param containers what a container gets whose manifest sets nothing
     */
    public static PolicyCheck of(
            Informer<McpServerPolicy> policies,
            Informer<Namespace> namespaces,
            ContainerPolicy containers) {
        return new PolicyCheck(
                () -> policies.cache().list(),
                name ->
                        namespaces
                                .cache()
                                .find(new ResourceKey("", name))
                                .map(namespace -> namespace.metadata().labels())
                                .orElseGet(Map::of),
                containers);
    }

    /** Returns why the resource may not run; empty if it may. */
    public String objection(Resource resource) {
        return text(
                PolicyDecision.violations(
                        resource, policies.get(), labelsOf(resource), containers));
    }

    /**
     * @param mounts the folders that the Sandbox is about to mount
     * @return why the Sandbox may not run; empty if it may
     */
    public String objection(Sandbox sandbox, MountResolution mounts) {
        return text(
                PolicyDecision.violations(
                        sandbox, mounts, policies.get(), labelsOf(sandbox), containers));
    }

    /**
     * @param variables the names of all variables that the server gets
     * @return why they are not allowed; empty if they are
     */
    public String objection(McpServer server, Collection<String> variables) {
        return text(PolicyDecision.violations(server, variables, policies.get(), labelsOf(server)));
    }

    /**
     * Returns the engine that runs the servers of a namespace; empty if no policy requires one. Ask
     * only for a server that the policies allow.
     */
    public Optional<RequiredEngine> requiredEngine(String namespace) {
        return PolicyDecision.requiredEngine(List.copyOf(policies.get()), labels.apply(namespace));
    }

    private Map<String, String> labelsOf(Resource resource) {
        return labels.apply(resource.metadata().namespace());
    }

    private static String text(List<PolicyViolation> violations) {
        return violations.stream().map(PolicyViolation::text).collect(Collectors.joining("; "));
    }
}
