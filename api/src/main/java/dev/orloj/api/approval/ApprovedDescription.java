package dev.orloj.api.approval;

import dev.orloj.api.ledger.CanonicalJson;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a server says of itself, after the policy of the server.
 *
 * @param served what clients get
 * @param held the definitions that are not served
 * @param warnings a phrase for each definition that is served with a warning
 */
public record ApprovedDescription(
        ServerDescription served, List<HeldDefinition> held, List<String> warnings) {

    public ApprovedDescription {
        held = List.copyOf(held);
        warnings = List.copyOf(warnings);
    }

    /**
     * Decides about each definition.
     *
     * @param first whether the server has not been listed before
     * @param known of all definitions of the server
     * @param before what is served so far
     * @param offered what the server states now
     */
    public static ApprovedDescription of(
            ServingPolicy policy,
            boolean first,
            Map<DefinitionName, ToolApproval> known,
            ServerDescription before,
            ServerDescription offered) {
        ServerDescription served = offered;
        List<HeldDefinition> held = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        for (DefinitionName name : ServerDescription.NAMES) {
            Optional<ObjectNode> definition = offered.definition(name);
            if (definition.isEmpty()) {
                continue;
            }
            ToolApproval stored = known.getOrDefault(name, ToolApproval.NONE);
            ToolApproval approval = before.definition(name).map(stored::serving).orElse(stored);
            switch (ServingDecision.of(policy, first, name, definition.get(), approval)) {
                case ServingDecision.Serve(String warning) -> {
                    if (!warning.isEmpty()) {
                        warnings.add(name.text() + " (" + warning + ")");
                    }
                }
                case ServingDecision.Hold hold -> {
                    served = served.with(name, hold.instead());
                    held.add(
                            new HeldDefinition(
                                    name,
                                    CanonicalJson.digest(definition.get()),
                                    definition.get(),
                                    hold.action(),
                                    hold.reason(),
                                    hold.instead().isPresent()));
                }
            }
        }
        return new ApprovedDescription(served, held, warnings);
    }

    /** Returns what the server stated last: the held definitions, and else what is served. */
    public static ServerDescription offeredLast(
            ServerDescription served, Map<DefinitionName, ToolApproval> known) {
        ServerDescription offered = served;
        for (DefinitionName name : ServerDescription.NAMES) {
            Optional<HeldDefinition> held = known.getOrDefault(name, ToolApproval.NONE).held();
            if (held.isPresent()) {
                offered = offered.with(name, held.map(HeldDefinition::definition));
            }
        }
        return offered;
    }
}
