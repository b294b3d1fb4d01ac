package dev.orloj.cli.apply;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.stream.Stream;

/**
 * The result of applying a document.
 *
 * @param document the resource as it is now
 * @param warnings of the server, and about parts that were not applied
 */
public record Applied(Effect effect, ObjectNode document, List<String> warnings) {

    String uid() {
        return document.at("/metadata/uid").asString("");
    }

    /** Returns the combined result when the same document is applied again. */
    Applied then(Applied next) {
        return new Applied(effect.then(next.effect), next.document, next.warnings);
    }

    Applied warning(String text) {
        return new Applied(
                effect, document, Stream.concat(warnings.stream(), Stream.of(text)).toList());
    }
}
