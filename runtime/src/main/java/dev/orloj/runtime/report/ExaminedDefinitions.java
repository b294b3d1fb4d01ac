package dev.orloj.runtime.report;

import dev.orloj.api.findings.Definition;
import dev.orloj.api.findings.DefinitionExaminer;
import dev.orloj.api.findings.DefinitionFinding;
import dev.orloj.api.findings.FindingSummary;
import dev.orloj.api.findings.KnownTools;
import dev.orloj.api.ledger.CanonicalJson;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What was found in the definitions of the tools of a server and in its instructions. A definition
 * that is the same as before is not examined again, but it is compared with the tools of other
 * servers each time, since these change. Immutable.
 */
public final class ExaminedDefinitions {

    /** Nothing examined yet. */
    public static final ExaminedDefinitions NONE =
            new ExaminedDefinitions(Map.of(), FindingSummary.of(0, List.of()));

    /** Names of tools are not empty. */
    private static final String INSTRUCTIONS = "";

    private record Examined(String digest, List<DefinitionFinding> findings) {}

    private final Map<String, Examined> byName;
    private final FindingSummary summary;

    private ExaminedDefinitions(Map<String, Examined> byName, FindingSummary summary) {
        this.byName = byName;
        this.summary = summary;
    }

    /**
     * Examines what is not the same as before.
     *
     * @param tools complete definitions, as received
     * @param instructions of the server; empty if it has none
     * @param others the tools of other servers
     */
    public ExaminedDefinitions next(
            List<ObjectNode> tools, String instructions, KnownTools others) {
        Map<String, Definition> definitions = new HashMap<>();
        Set<String> names = new HashSet<>();
        for (ObjectNode tool : tools) {
            String name = tool.path("name").asString("");
            definitions.put(name, Definition.tool(tool));
            names.add(name.toLowerCase(Locale.ROOT));
        }
        if (!instructions.isEmpty()) {
            definitions.put(INSTRUCTIONS, Definition.instructions(instructions));
        }
        Map<String, Examined> next = new HashMap<>();
        List<DefinitionFinding> findings = new ArrayList<>();
        definitions.forEach(
                (name, definition) -> {
                    Examined examined = examine(name, definition);
                    next.put(name, examined);
                    findings.addAll(examined.findings());
                    findings.addAll(DefinitionExaminer.compare(definition, names, others));
                });
        return new ExaminedDefinitions(next, FindingSummary.of(next.size(), findings));
    }

    private Examined examine(String name, Definition definition) {
        String digest = CanonicalJson.digest(definition.content());
        Examined before = byName.get(name);
        return before != null && before.digest().equals(digest)
                ? before
                : new Examined(digest, DefinitionExaminer.examine(definition));
    }

    /** Returns the counts and the worst findings. */
    public FindingSummary summary() {
        return summary;
    }
}
