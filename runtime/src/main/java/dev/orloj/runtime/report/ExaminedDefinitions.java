package dev.orloj.runtime.report;

import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.approval.OfferedDefinition;
import dev.orloj.api.approval.OfferedFeatures;
import dev.orloj.api.findings.Definition;
import dev.orloj.api.findings.DefinitionExaminer;
import dev.orloj.api.findings.DefinitionFinding;
import dev.orloj.api.findings.FindingSummary;
import dev.orloj.api.findings.KnownTools;
import dev.orloj.api.signature.Sha256;
import dev.orloj.runtime.listing.PackedObjects;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What was found in the definitions of a server: tools, prompts, resource templates, resources and
 * instructions. A definition that is the same as before is not examined again, but it is compared
 * with the tools of other servers each time, since these change. Immutable.
 */
public final class ExaminedDefinitions {

    /** Nothing examined yet. */
    public static final ExaminedDefinitions NONE =
            new ExaminedDefinitions(Map.of(), FindingSummary.of(0, List.of()));

    private record Examined(String digest, List<DefinitionFinding> findings) {}

    private final Map<String, Examined> byKey;
    private final FindingSummary summary;

    private ExaminedDefinitions(Map<String, Examined> byKey, FindingSummary summary) {
        this.byKey = byKey;
        this.summary = summary;
    }

    /**
     * Examines what is not the same as before.
     *
     * @param tools complete definitions, as received
     * @param features the prompts, resource templates and resources
     * @param instructions of the server; empty if it has none
     * @param others the tools of other servers
     */
    public ExaminedDefinitions next(
            List<ObjectNode> tools,
            OfferedFeatures features,
            String instructions,
            KnownTools others) {
        List<Definition> definitions = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (ObjectNode tool : tools) {
            String name = tool.path("name").asString("");
            definitions.add(Definition.tool(tool));
            names.add(name.toLowerCase(Locale.ROOT));
        }
        for (OfferedDefinition feature : features.definitions()) {
            definitions.add(new Definition(kind(feature.name().kind()), feature.definition()));
        }
        if (!instructions.isEmpty()) {
            definitions.add(Definition.instructions(instructions));
        }
        Map<String, Examined> next = new HashMap<>();
        List<DefinitionFinding> findings = new ArrayList<>();
        for (Definition definition : definitions) {
            DefinitionExaminer examiner = new DefinitionExaminer(definition);
            Examined examined = examine(definition, examiner);
            next.put(definition.key(), examined);
            findings.addAll(examined.findings());
            findings.addAll(examiner.compare(names, others));
        }
        return new ExaminedDefinitions(next, FindingSummary.of(next.size(), findings));
    }

    private static Definition.Kind kind(DefinitionName.Kind kind) {
        return switch (kind) {
            case TOOL -> Definition.Kind.TOOL;
            case PROMPT -> Definition.Kind.PROMPT;
            case TEMPLATE -> Definition.Kind.RESOURCE_TEMPLATE;
            case RESOURCE -> Definition.Kind.RESOURCE;
            case INSTRUCTIONS, SERVER_INFO, RUNS -> Definition.Kind.SERVER;
        };
    }

    private Examined examine(Definition definition, DefinitionExaminer examiner) {
        // Of the bytes as they come: another order of fields is examined again, at no other cost.
        String digest = Sha256.hex(PackedObjects.pack(definition.content()));
        Examined before = byKey.get(definition.key());
        return before != null && before.digest().equals(digest)
                ? before
                : new Examined(digest, examiner.examine());
    }

    /** Returns the counts and the worst findings. */
    public FindingSummary summary() {
        return summary;
    }
}
