package dev.orloj.api.findings;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Set;

/** Compares the annotations of a tool with the words of its name and description. */
final class BehaviorRules {

    private static final Set<String> DESTROYING =
            Set.of(
                    "delete",
                    "deletes",
                    "remove",
                    "removes",
                    "destroy",
                    "destroys",
                    "drop",
                    "drops",
                    "erase",
                    "erases",
                    "purge",
                    "purges",
                    "truncate",
                    "truncates",
                    "wipe",
                    "wipes",
                    "terminate",
                    "terminates",
                    "uninstall",
                    "uninstalls",
                    "revoke",
                    "revokes",
                    "overwrite",
                    "overwrites");

    private static final Set<String> WRITING =
            Set.of(
                    "create",
                    "creates",
                    "update",
                    "updates",
                    "write",
                    "writes",
                    "send",
                    "sends",
                    "post",
                    "posts",
                    "insert",
                    "inserts",
                    "move",
                    "moves",
                    "rename",
                    "renames",
                    "upload",
                    "uploads",
                    "edit",
                    "edits",
                    "modify",
                    "modifies",
                    "merge",
                    "merges",
                    "publish",
                    "publishes",
                    "append",
                    "appends",
                    "push",
                    "pushes",
                    "transfer",
                    "transfers",
                    "save",
                    "saves");

    private BehaviorRules() {}

    static void examine(Definition definition, FindingList findings) {
        JsonNode hints = definition.content().path("annotations");
        boolean readsOnly = hints.path("readOnlyHint").booleanValue(false);
        boolean harmless =
                hints.path("destructiveHint").isBoolean()
                        && !hints.path("destructiveHint").booleanValue();
        if (!readsOnly && !harmless) {
            return;
        }
        String verb = verb(definition.name(), true);
        String place = "/name";
        if (!DESTROYING.contains(verb) && !WRITING.contains(verb)) {
            verb = verb(definition.content().path("description").asString(""), false);
            place = "/description";
        }
        boolean destroys = DESTROYING.contains(verb);
        if (readsOnly && (destroys || WRITING.contains(verb))) {
            findings.add(
                    FindingRule.ANNOTATION_CONTRADICTION,
                    FindingSeverity.MEDIUM,
                    place,
                    "annotations.readOnlyHint is true, and the tool says \"%s\"".formatted(verb));
        } else if (harmless && destroys) {
            findings.add(
                    FindingRule.ANNOTATION_CONTRADICTION,
                    FindingSeverity.LOW,
                    place,
                    "annotations.destructiveHint is false, and the tool says \"%s\""
                            .formatted(verb));
        }
    }

    /** Returns the word that a name or a sentence begins with. */
    private static String verb(String text, boolean isName) {
        String start = text.substring(0, Math.min(text.length(), 200));
        List<Words.Word> words = Words.of(start, isName);
        return words.isEmpty() ? "" : words.getFirst().text();
    }
}
