package dev.orloj.api.approval;

import dev.orloj.api.Frozen;

import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;
import java.util.Set;

/**
 * What is known of the definitions of one tool.
 *
 * @param served the definition that is served, or was last
 * @param held the definition that the server offers, if it is not served
 * @param approved digests of definitions that a user approved
 * @param rejected digests of definitions that a user rejected
 */
public record ToolApproval(
        Optional<ObjectNode> served,
        Optional<HeldDefinition> held,
        Set<String> approved,
        Set<String> rejected) {

    public static final ToolApproval NONE =
            new ToolApproval(Optional.empty(), Optional.empty(), Set.of(), Set.of());

    public ToolApproval {
        approved = Frozen.set(approved);
        rejected = Frozen.set(rejected);
    }

    /** Returns the same with another definition that is served. */
    public ToolApproval serving(ObjectNode definition) {
        return new ToolApproval(Optional.of(definition), held, approved, rejected);
    }
}
