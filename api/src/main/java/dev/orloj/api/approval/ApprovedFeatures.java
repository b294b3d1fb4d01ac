package dev.orloj.api.approval;

import dev.orloj.api.ledger.CanonicalJson;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The prompts, resource templates and resources of a server, after its policy. A held one is not
 * served as before: its text comes from the server, and the server has changed it.
 *
 * @param served what clients get
 * @param held the definitions that are not served, sorted by name
 * @param warnings a phrase for each definition that is served with a warning
 */
public record ApprovedFeatures(
        Map<DefinitionName, ObjectNode> served, List<HeldDefinition> held, List<String> warnings) {

    public static final ApprovedFeatures NONE =
            new ApprovedFeatures(Map.of(), List.of(), List.of());

    public ApprovedFeatures {
        served = Collections.unmodifiableMap(new TreeMap<>(served));
        held = List.copyOf(held);
        warnings = List.copyOf(warnings);
    }

    /**
     * Decides about each definition.
     *
     * @param first whether such definitions of the server have not been recorded before
     * @param known of all definitions of the server, with what is served
     * @param offered all that the server offers
     */
    public static ApprovedFeatures of(
            ServingPolicy policy,
            boolean first,
            Map<DefinitionName, ToolApproval> known,
            Map<DefinitionName, ObjectNode> offered) {
        Map<DefinitionName, ObjectNode> served = new TreeMap<>();
        List<HeldDefinition> held = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        new TreeMap<>(offered)
                .forEach(
                        (name, definition) -> {
                            ToolApproval approval = known.getOrDefault(name, ToolApproval.NONE);
                            switch (decide(policy, first, name, definition, approval)) {
                                case ServingDecision.Serve(String warning) -> {
                                    served.put(name, definition);
                                    if (!warning.isEmpty()) {
                                        warnings.add(name.text() + " (" + warning + ")");
                                    }
                                }
                                case ServingDecision.Hold hold ->
                                        held.add(held(name, definition, hold));
                            }
                        });
        return new ApprovedFeatures(served, held, warnings);
    }

    private static ServingDecision decide(
            ServingPolicy policy,
            boolean first,
            DefinitionName name,
            ObjectNode definition,
            ToolApproval approval) {
        return policy.isEmpty()
                ? new ServingDecision.Serve("")
                : ServingDecision.of(policy, first, name, definition, approval);
    }

    private static HeldDefinition held(
            DefinitionName name, ObjectNode definition, ServingDecision.Hold hold) {
        return new HeldDefinition(
                name,
                CanonicalJson.digest(definition),
                definition,
                hold.action(),
                hold.reason(),
                false);
    }
}
