package dev.orloj.runtime.report;

import dev.orloj.api.findings.Definition;
import dev.orloj.api.findings.DefinitionExaminer;
import dev.orloj.api.findings.DefinitionFinding;
import dev.orloj.api.findings.FindingSummary;
import dev.orloj.api.ledger.CanonicalJson;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What was found in the definitions of the tools of a server and in its instructions. A definition
 * that is the same as before is not examined again. Immutable.
 */
public final class ExaminedDefinitions {

    /** Nothing examined yet. */
    public static final ExaminedDefinitions NONE = new ExaminedDefinitions(Map.of());

    /** Names of tools are not empty. */
    private static final String INSTRUCTIONS = "";

    private record Examined(String digest, List<DefinitionFinding> findings) {}

    private final Map<String, Examined> byName;
    private final FindingSummary summary;

    private ExaminedDefinitions(Map<String, Examined> byName) {
        this.byName = byName;
        List<DefinitionFinding> findings = new ArrayList<>();
        byName.values().forEach(examined -> findings.addAll(examined.findings()));
        this.summary = FindingSummary.of(byName.size(), findings);
    }

    /**
     * Examines what is not the same as before.
     *
     * @param tools complete definitions, as received
     * @param instructions of the server; empty if it has none
     */
    public ExaminedDefinitions next(List<ObjectNode> tools, String instructions) {
        Map<String, Examined> next = new HashMap<>();
        for (ObjectNode tool : tools) {
            add(tool.path("name").asString(""), Definition.tool(tool), next);
        }
        if (!instructions.isEmpty()) {
            add(INSTRUCTIONS, Definition.instructions(instructions), next);
        }
        return new ExaminedDefinitions(next);
    }

    private void add(String name, Definition definition, Map<String, Examined> target) {
        String digest = CanonicalJson.digest(definition.content());
        Examined before = byName.get(name);
        target.put(
                name,
                before != null && before.digest().equals(digest)
                        ? before
                        : new Examined(digest, DefinitionExaminer.examine(definition)));
    }

    /** Returns the counts and the worst findings. */
    public FindingSummary summary() {
        return summary;
    }
}
