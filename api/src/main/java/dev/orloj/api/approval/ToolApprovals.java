package dev.orloj.api.approval;

import dev.orloj.api.ResourceKey;

import java.util.List;
import java.util.Map;

/** What is known of the definitions of servers apart from their Tools. Thread-safe. */
public interface ToolApprovals {

    /** Returns what is known of the definitions of a server. */
    Map<DefinitionName, ToolApproval> find(ResourceKey server);

    /** Replaces the held definitions of a server. Each that was not held before is recorded. */
    void hold(ResourceKey server, List<HeldDefinition> held);
}
