package dev.orloj.runtime.call;

import tools.jackson.databind.JsonNode;

import java.util.Optional;

/** Verifies the schemas of tools, as calls do before they use one. Thread-safe. */
public final class SchemaVerifier {

    private static final int LONGEST = 200;

    private final SchemaCompiler compiler = new SchemaCompiler();

    /** Returns why arguments cannot be validated against the schema; empty when they can. */
    public Optional<String> objection(JsonNode schema) {
        try {
            compiler.compile(schema);
            return Optional.empty();
        } catch (StackOverflowError e) {
            return Optional.of("it refers to itself without end");
        } catch (RuntimeException e) { // any exception of the library is about the schema
            String why = String.valueOf(e.getMessage());
            return Optional.of(why.length() > LONGEST ? why.substring(0, LONGEST) + "…" : why);
        }
    }
}
