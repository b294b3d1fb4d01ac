package dev.orloj.controllers.mcpserver.definition;

import dev.orloj.runtime.session.definition.ServerDefinition;

import java.util.List;

/** What became of a manifest and the Secrets it refers to. */
public sealed interface Resolution {

    /**
     * A session can be opened.
     *
     * @param secrets the values that were put in, so that they can be kept out of messages
     * @param notes what of the manifest was left out and why, one sentence each
     * @param variables of orlojd that stand in for Secrets that do not exist, by name
     */
    record Resolved(
            ServerDefinition definition,
            List<String> secrets,
            List<String> notes,
            List<String> variables)
            implements Resolution {

        public Resolved {
            secrets = List.copyOf(secrets);
            notes = List.copyOf(notes);
            variables = List.copyOf(variables);
        }

        @Override
        public String toString() {
            return "Resolved[" + definition + "]";
        }
    }

    /**
     * No session is wanted.
     *
     * @param why the field that says so, and its value
     */
    record Suspended(String why) implements Resolution {}

    /** Nothing can be done until the manifest or a Secret changes. */
    record Refused(String reason, String message) implements Resolution {}
}
