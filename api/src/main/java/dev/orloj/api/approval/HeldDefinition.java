package dev.orloj.api.approval;

import tools.jackson.databind.node.ObjectNode;

/**
 * A definition that a server offers and that is not served.
 *
 * @param action {@link PolicyAction#QUARANTINE} if an approval would serve it
 * @param reason why, as a phrase
 * @param serves whether the definition from before is served instead
 * @param former the name that the tool had on its server before it was renamed; empty if it was not
 */
public record HeldDefinition(
        DefinitionName name,
        String digest,
        ObjectNode definition,
        PolicyAction action,
        String reason,
        boolean serves,
        String former) {

    /** Makes one that was not renamed. */
    public HeldDefinition(
            DefinitionName name,
            String digest,
            ObjectNode definition,
            PolicyAction action,
            String reason,
            boolean serves) {
        this(name, digest, definition, action, reason, serves, "");
    }

    /**
     * Returns why what runs at a server is held, and what to do, as a clause.
     *
     * @param server its name
     */
    public String messageOfRuns(String server) {
        return "(%s); 'orlojctl tools diff mcp/%s server/runs' shows it, and 'orlojctl tools approve %2$s server/runs' serves it, unless the pins of the manifest name something else"
                .formatted(reason, server);
    }
}
