package dev.orloj.api.approval;

import tools.jackson.databind.node.ObjectNode;

/**
 * A definition that a server offers and that is not served.
 *
 * @param action {@link PolicyAction#QUARANTINE} if an approval would serve it
 * @param reason why, as a phrase
 * @param serves whether the definition from before is served instead
 */
public record HeldDefinition(
        DefinitionName name,
        String digest,
        ObjectNode definition,
        PolicyAction action,
        String reason,
        boolean serves) {}
