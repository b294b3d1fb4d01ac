package dev.orloj.runtime.call;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.approval.ServingPolicy;
import dev.orloj.api.approval.ToolApproval;

import java.util.Map;
import java.util.Set;

/** What is decided about the prompts, resource templates and resources of servers. Thread-safe. */
public interface FeatureDecisions {

    /** Every definition is served. */
    FeatureDecisions NONE = (_, _, _) -> Known.ANYTHING;

    /**
     * What is known of some of them.
     *
     * @param first whether those of the server were never listed
     * @param served those that are served
     * @param known of each, with its definition that is served
     */
    record Known(
            ServingPolicy policy,
            boolean first,
            Set<DefinitionName> served,
            Map<DefinitionName, ToolApproval> known) {

        static final Known ANYTHING = new Known(ServingPolicy.NONE, true, Set.of(), Map.of());
    }

    /**
     * Returns what is known at this moment.
     *
     * @param names of these
     * @param kinds and of all of these kinds
     */
    Known find(ResourceKey server, Set<DefinitionName> names, Set<DefinitionName.Kind> kinds);
}
