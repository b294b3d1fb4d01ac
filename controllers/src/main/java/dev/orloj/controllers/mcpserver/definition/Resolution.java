package dev.orloj.controllers.mcpserver.definition;

import dev.orloj.runtime.session.definition.ServerDefinition;

import java.util.List;

/** The result of resolving a manifest and the Secrets it refers to. */
public sealed interface Resolution {

    /**
     * A session can be opened.
     *
     * @param secrets the values that the definition contains, so that messages can leave them out
     * @param notes what of the manifest was left out and why, one sentence each
     * @param sources names of the environment variables of orlojd, and paths of files, that replace
     *     Secrets that do not exist
     */
    record Resolved(
            ServerDefinition definition,
            List<String> secrets,
            List<String> notes,
            List<String> sources)
            implements Resolution {

        public Resolved {
            secrets = List.copyOf(secrets);
            notes = List.copyOf(notes);
            sources = List.copyOf(sources);
        }

        @Override
        public String toString() {
            return "Resolved[" + definition + "]";
        }
    }

    /**
     * The manifest suspends the server.
     *
     * @param why the field that suspends it, and its value
     */
    record Suspended(String why) implements Resolution {}

    /** The manifest cannot be acted on until it or a Secret changes. */
    record Refused(String reason, String message) implements Resolution {}
}
