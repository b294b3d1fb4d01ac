package dev.orloj.api.findings;

import java.util.List;
import java.util.Set;

/**
 * Examines a definition. The time grows linearly with its length, and what is beyond 256 Ki
 * characters, 10,000 texts or 100 levels of it is not read but reported. No pattern finds poison in
 * plain words: the absence of findings proves nothing. Immutable.
 */
public final class DefinitionExaminer {

    /** The most findings about one definition. */
    public static final int MAX_FINDINGS = 30;

    private final Definition definition;
    private final DefinitionTexts texts;

    public DefinitionExaminer(Definition definition) {
        this.definition = definition;
        this.texts = DefinitionTexts.of(definition);
    }

    /** Returns the findings about the definition by itself, the worst first. */
    public List<DefinitionFinding> examine() {
        FindingList findings = new FindingList(definition);
        for (DefinitionText text : texts.texts()) {
            examine(text, findings);
        }
        if (!texts.left().isEmpty()) {
            findings.add(
                    FindingRule.NOT_EXAMINED,
                    FindingSeverity.MEDIUM,
                    texts.left(),
                    "What is here and behind it is beyond the bounds of the examination");
        }
        ArgumentRules.examine(definition, texts.arguments(), findings);
        if (definition.kind() == Definition.Kind.TOOL) {
            BehaviorRules.examine(definition, findings);
        }
        ReferenceRules.examine(definition, findings);
        return findings.all();
    }

    /**
     * Returns the findings about the definition beside the tools of other servers, the worst first.
     *
     * @param own the names of the tools of its server, in lower case
     */
    public List<DefinitionFinding> compare(Set<String> own, KnownTools others) {
        FindingList findings = new FindingList(definition);
        others.examine(definition, own, texts.texts(), findings);
        return findings.all();
    }

    private static void examine(DefinitionText text, FindingList findings) {
        if (text.role() == DefinitionText.Role.ICON) {
            return;
        }
        HiddenCharacters.examine(text, findings);
        HiddenMarkup.examine(text, findings);
        EncodedText.examine(text, findings);
        Directives.examine(text, findings);
        if (text.role().isName() && Confusables.isMixed(text.text())) {
            findings.add(
                    FindingRule.MIXED_SCRIPT_NAME,
                    text,
                    0,
                    text.text().length(),
                    "A name in which letters of another script imitate those of ASCII");
        }
    }
}
