package dev.orloj.cli.apply;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.stream.Stream;

/**
 * A document that was applied.
 *
 * @param document the resource as it is now
 * @param warnings of the server, and about parts that were not applied
 */
public record Applied(Effect effect, ObjectNode document, List<String> warnings) {

    String uid() {
        return document.at("/metadata/uid").asString("");
    }

    /** The outcome when the same document is applied once more. */
    Applied then(Applied next) {
        return new Applied(effect.then(next.effect), next.document, next.warnings);
    }

    Applied warning(String text) {
        return new Applied(
                effect, document, Stream.concat(warnings.stream(), Stream.of(text)).toList());
    }
}
