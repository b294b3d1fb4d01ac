package dev.orloj.runtime.examination;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What was found in a result, and what was done about it. Has nothing of the content.
 *
 * @param action {@link ResultPolicy#WARN}, {@link ResultPolicy#STRIP} or {@link
 *     ResultPolicy#BLOCK}; the last one also where the policy is to strip and that was not possible
 * @param findings one for each kind
 */
public record ResultDecision(ResultPolicy policy, ResultPolicy action, List<Finding> findings) {

    /**
     * The findings of one kind.
     *
     * @param place JSON Pointer of the first one, in printable ASCII and of limited length
     */
    public record Finding(FindingKind kind, long count, String place) {}

    public ResultDecision {
        findings = List.copyOf(findings);
    }

    /** Returns the kinds in words, for people. */
    String words() {
        return findings.stream()
                .map(finding -> finding.kind().words())
                .collect(Collectors.joining(", "));
    }

    /** Writes the decision into a document. */
    public void describe(ObjectNode document) {
        document.put("policy", policy.wireName()).put("action", action.action());
        ArrayNode list = document.putArray("findings");
        for (Finding finding : findings) {
            list.addObject()
                    .put("kind", finding.kind().wireName())
                    .put("count", finding.count())
                    .put("at", finding.place());
        }
    }

    /** Returns the decision as a document. */
    public ObjectNode toDocument() {
        ObjectNode document = Json.MAPPER.createObjectNode();
        describe(document);
        return document;
    }
}
