package dev.orloj.cli.output;

import dev.orloj.api.codec.SensitiveValues;
import dev.orloj.api.v1.Kinds;

import tools.jackson.databind.node.ObjectNode;

/** Documents as they go to screens and files: without the values of Secrets. */
public final class Masked {

    private Masked() {}

    /** The document itself when there is nothing to hide in it. */
    public static ObjectNode of(ObjectNode document) {
        return Kinds.SCHEME
                .findKind(
                        document.path("apiVersion").asString(""),
                        document.path("kind").asString(""))
                .map(kind -> SensitiveValues.masked(kind, document))
                .orElse(document);
    }
}
