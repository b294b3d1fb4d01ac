package dev.orloj.cli.output;

import dev.orloj.api.codec.SensitiveValues;
import dev.orloj.api.v1.Kinds;

import tools.jackson.databind.node.ObjectNode;

/** Masks the values of Secrets in documents for display or files. */
public final class Masked {

    private Masked() {}

    /** Returns the masked document; the document itself when it contains nothing to mask. */
    public static ObjectNode of(ObjectNode document) {
        return Kinds.SCHEME
                .findKind(
                        document.path("apiVersion").asString(""),
                        document.path("kind").asString(""))
                .map(kind -> SensitiveValues.masked(kind, document))
                .orElse(document);
    }
}
