package dev.orloj.cli.ledger;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.core.Namespace;
import dev.orloj.cli.command.Context;

/** Says that a namespace has nothing, which is an error if there is no such namespace. */
final class EmptyNamespace {

    private EmptyNamespace() {}

    /**
     * Requires that a namespace exists.
     *
     * @param namespace empty for all namespaces
     * @throws dev.orloj.api.ApiException (NotFound) if it does not
     */
    static void require(Context context, String namespace) {
        if (!namespace.isEmpty()) {
            context.documents().get(Namespace.KIND, new ResourceKey("", namespace));
        }
    }

    /** Returns the beginning of a sentence. */
    static String noServer(String namespace) {
        return namespace.isEmpty()
                ? "There is no McpServer: "
                : "Namespace \"%s\" has no McpServer: ".formatted(namespace);
    }

    /** Returns the end of a sentence. */
    static String noLedger(String namespace) {
        return namespace.isEmpty()
                ? "there is none."
                : "namespace \"%s\" has none.".formatted(namespace);
    }
}
