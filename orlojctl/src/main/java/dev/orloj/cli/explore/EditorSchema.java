package dev.orloj.cli.explore;

import dev.orloj.api.jsonschema.ManifestSchemas;
import dev.orloj.api.v1.Kinds;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.output.FileErrors;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The schema that a manifest names for editors. It is a file beside the manifest, which goes into
 * the same repository: a URL would need a network, and a path of this machine is no path of others.
 */
final class EditorSchema {

    /**
     * Relative to the manifest. Neither orlojctl nor kubectl take the file for a manifest: the
     * folder is hidden, and the name has another ending.
     */
    static final String FILE = ".orloj/manifest.jsonschema";

    private EditorSchema() {}

    /** Returns the first line of a manifest, which yaml-language-server and IntelliJ read. */
    static String modeline(String schema) {
        return "# yaml-language-server: $schema=%s\n".formatted(schema);
    }

    /** Writes the schema of this version, unless it is there. */
    static void writeBeside(Path manifest) {
        Path schema = manifest.toAbsolutePath().resolveSibling(FILE);
        String text = ManifestSchemas.text(ManifestSchemas.any(Kinds.SCHEME));
        try {
            Files.createDirectories(schema.getParent());
            if (!Files.exists(schema) || !Files.readString(schema).equals(text)) {
                Files.writeString(schema, text);
            }
        } catch (IOException e) {
            throw new CommandException(
                    "cannot write \"%s\": %s; --schema none leaves it out"
                            .formatted(schema, FileErrors.reason(e)));
        }
    }
}
