package dev.orloj.server.admission;

import dev.orloj.api.FieldError;
import dev.orloj.api.Resource;
import dev.orloj.api.policy.McpServerPolicy;
import dev.orloj.controllers.policy.PolicyDecision;
import dev.orloj.controllers.policy.PolicyViolation;
import dev.orloj.controllers.sandbox.ContainerPolicy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Rejects what the McpServerPolicies of a namespace do not allow. Reads them anew for each write
 * that they concern, so that no replica decides by an older state. Safe for many threads.
 */
public final class ServerPolicies {

    /** Rejects nothing. */
    static final ServerPolicies NONE =
            new ServerPolicies(List::of, namespace -> Map.of(), ContainerPolicy.DEFAULT);

    private final Supplier<List<McpServerPolicy>> policies;
    private final Function<String, Map<String, String>> labels;
    private final ContainerPolicy containers;

    /**
     * @param policies returns all that are stored now
     * @param labels returns those of a namespace as stored now; none if it does not exist
     * @param containers what a container gets whose manifest sets nothing
     */
    public ServerPolicies(
            Supplier<List<McpServerPolicy>> policies,
            Function<String, Map<String, String>> labels,
            ContainerPolicy containers) {
        this.containers = containers;
        this.policies = policies;
        this.labels = labels;
    }

    /**
     * Returns the errors of a write. A value that was stored before and is the same now is no
     * error, so that an unrelated edit of an old server works.
     */
    List<FieldError> check(Resource after, Optional<? extends Resource> before) {
        if (!PolicyDecision.concerns(after)
                || before.filter(stored -> PolicyDecision.isSame(stored, after)).isPresent()) {
            return List.of();
        }
        List<McpServerPolicy> all = policies.get();
        if (all.isEmpty()) {
            return List.of();
        }
        Map<String, String> labels = this.labels.apply(after.metadata().namespace());
        List<PolicyViolation> violations =
                new ArrayList<>(PolicyDecision.violations(after, all, labels, containers));
        Set<String> known =
                before
                        .map(stored -> PolicyDecision.violations(stored, all, labels, containers))
                        .orElse(List.of())
                        .stream()
                        .map(PolicyViolation::identity)
                        .collect(Collectors.toSet());
        violations.removeIf(violation -> known.contains(violation.identity()));
        return violations.stream().map(PolicyViolation::toError).toList();
    }
}
