package dev.orloj.cli.client;

import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.Format;
import dev.orloj.cli.output.Documents;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/** Prints manifests that {@code apply} reads. */
public final class ManifestOutput {

    private ManifestOutput() {}

    /** Prints YAML documents, or one JSON document. */
    public static void print(Context context, List<ObjectNode> documents, Format format) {
        if (format == Format.JSON) {
            context.out().print(format.write(Documents.oneOrList(documents, false)));
            return;
        }
        String separator = "";
        for (ObjectNode document : documents) {
            context.out().print(separator + format.write(document));
            separator = "---\n";
        }
    }
}
