package dev.orloj.api.approval;

import dev.orloj.api.ResourceKey;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is known of the definitions of servers apart from their Tools. Thread-safe. */
public interface ToolApprovals {

    /** Returns what is known of the definitions of a server. */
    Map<DefinitionName, ToolApproval> find(ResourceKey server);

    /**
     * Replaces the held definitions of tools and of what a server says of itself. Each that was not
     * held before is recorded.
     */
    void hold(ResourceKey server, List<HeldDefinition> held);

    /**
     * Returns what runs behind the definitions of a server, if the policy does not serve it. What
     * was held for a manifest that named something else is no longer.
     *
     * @param named by the manifest now
     */
    Optional<HeldDefinition> heldCode(ResourceKey server, ServingPolicy policy, String named);

    /**
     * Records what a server offers besides tools, and decides which of it is served, at once: no
     * replica serves a definition after this that the policy holds. Does nothing for a server that
     * does not exist.
     */
    ApprovedFeatures offer(ResourceKey server, OfferedFeatures offered);
}
