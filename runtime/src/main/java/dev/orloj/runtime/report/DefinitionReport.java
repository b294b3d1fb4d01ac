package dev.orloj.runtime.report;

import dev.orloj.api.report.Check;
import dev.orloj.api.report.Finding;
import dev.orloj.runtime.call.SchemaVerifier;
import dev.orloj.runtime.listing.ToolListing;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the definitions of the tools of a server are like.
 *
 * @param tokens about how many tokens they cost an agent that gets all of them
 * @param order the hash of the names in the order of the list
 * @param names the hash of the names in any order
 * @param findings one of each check
 * @param examined what was found in the texts of the definitions
 */
public record DefinitionReport(
        long tokens, int order, int names, List<Finding> findings, ExaminedDefinitions examined) {

    static final int MAX_SCHEMA_CHARACTERS = 64 * 1024;
    static final int MAX_SCHEMA_DEPTH = 32;
    static final int MAX_TOKENS = 20_000;

    /** Schemas beyond these are not compiled, which takes time. */
    private static final int MAX_COMPILED = 200;

    private static final int CHARACTERS_OF_A_TOKEN = 4;
    private static final int LONGEST_SHOWN = 100;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,128}");
    private static final Pattern WORDS = Pattern.compile("[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])");

    private static final Set<String> DESTRUCTIVE =
            Set.of(
                    "delete",
                    "remove",
                    "destroy",
                    "drop",
                    "erase",
                    "purge",
                    "truncate",
                    "wipe",
                    "kill",
                    "terminate",
                    "uninstall",
                    "revoke");

    private static final Set<String> READING =
            Set.of("get", "list", "search", "read", "find", "describe", "show", "count", "is");

    private static final SchemaVerifier VERIFIER = new SchemaVerifier();

    public DefinitionReport {
        findings = List.copyOf(findings);
    }

    public static DefinitionReport of(ToolListing listing) {
        return of(listing, ExaminedDefinitions.NONE);
    }

    /**
     * @param examined what was found in the texts of those definitions that agents get
     */
    public static DefinitionReport of(ToolListing listing, ExaminedDefinitions examined) {
        FindingsByTool findings = new FindingsByTool();
        listing.notes().forEach(note -> findings.addSentence(Check.TOOL_LEFT_OUT, note));
        long characters = 0;
        int order = 1;
        int names = 0;
        int compiled = 0;
        for (ObjectNode tool : listing.tools()) {
            String name = tool.path("name").asString("");
            order = 31 * order + name.hashCode();
            names += name.hashCode();
            checkTexts(tool, name, findings);
            String schema = tool.path("inputSchema").toString();
            characters += name.length() + tool.path("description").asString("").length();
            characters += schema.length();
            boolean compiles = compiled < MAX_COMPILED;
            checkSchema("inputSchema", tool, name, schema.length(), compiles, findings);
            JsonNode output = tool.path("outputSchema");
            if (!output.isMissingNode() && !output.isNull()) {
                int length = output.toString().length();
                checkSchema("outputSchema", tool, name, length, compiles, findings);
            }
            compiled++;
        }
        long tokens = (characters + CHARACTERS_OF_A_TOKEN - 1) / CHARACTERS_OF_A_TOKEN;
        if (tokens > MAX_TOKENS) {
            findings.addSentence(Check.DEFINITIONS_COSTLY, cost(listing.tools().size(), tokens));
        }
        return new DefinitionReport(tokens, order, names, findings.all(), examined);
    }

    /** Returns whether both list the same tools, in another order. */
    public boolean isReorderingOf(DefinitionReport other) {
        return names == other.names && order != other.order;
    }

    /** Returns whether both list the same tools. */
    public boolean hasToolsOf(DefinitionReport other) {
        return names == other.names;
    }

    private static String cost(int tools, long tokens) {
        return "The definitions of the %,d tools cost an agent about %,d tokens"
                .formatted(tools, tokens);
    }

    private static void checkTexts(ObjectNode tool, String name, FindingsByTool findings) {
        if (!NAME.matcher(name).matches()) {
            findings.add(
                    Check.TOOL_NAME_INVALID,
                    name,
                    "has a name of %,d characters that not all clients of MCP take"
                            .formatted(name.length()));
        }
        if (tool.path("description").asString("").isBlank()) {
            findings.add(Check.DESCRIPTION_MISSING, name, "has no description");
        }
        JsonNode hints = tool.path("annotations");
        if (saysThatItDestroys(name)) {
            if (hints.path("readOnlyHint").booleanValue(false)) {
                findings.add(
                        Check.DESTRUCTIVE_NOT_ANNOTATED,
                        name,
                        "has annotations.readOnlyHint: true");
            } else if (!hints.path("destructiveHint").booleanValue(false)) {
                findings.add(
                        Check.DESTRUCTIVE_NOT_ANNOTATED,
                        name,
                        "does not have annotations.destructiveHint: true");
            }
        }
    }

    private static boolean saysThatItDestroys(String name) {
        List<String> words =
                Stream.of(WORDS.split(name))
                        .filter(word -> !word.isEmpty())
                        .map(word -> word.toLowerCase(Locale.ROOT))
                        .toList();
        return !words.isEmpty()
                && !READING.contains(words.getFirst())
                && words.stream().anyMatch(DESTRUCTIVE::contains);
    }

    private static void checkSchema(
            String member,
            ObjectNode tool,
            String name,
            int length,
            boolean compiles,
            FindingsByTool findings) {
        JsonNode schema = tool.path(member);
        if (!schema.isObject()) {
            findings.add(
                    Check.SCHEMA_INVALID,
                    name,
                    schema.isMissingNode()
                            ? "has no " + member
                            : "has %s: %s, and it must be an object"
                                    .formatted(member, shown(schema)));
            return;
        }
        if (member.equals("inputSchema") && !schema.path("type").asString("").equals("object")) {
            findings.add(
                    Check.SCHEMA_INVALID,
                    name,
                    "has inputSchema.type: %s, and it must be \"object\""
                            .formatted(schema.has("type") ? shown(schema.path("type")) : "absent"));
            return;
        }
        SchemaShape shape = SchemaShape.of(schema);
        if (length > MAX_SCHEMA_CHARACTERS || shape.depth() > MAX_SCHEMA_DEPTH) {
            findings.add(
                    Check.SCHEMA_TOO_LARGE,
                    name,
                    "has an %s of %,d characters and %,d levels"
                            .formatted(member, length, shape.depth()));
            return;
        }
        if (shape.remote().isPresent()) {
            findings.add(
                    Check.SCHEMA_REMOTE_REF,
                    name,
                    "has an %s with $ref: \"%s\"".formatted(member, cut(shape.remote().get())));
            return;
        }
        Optional<String> objection = compiles ? VERIFIER.objection(schema) : Optional.empty();
        objection.ifPresent(
                why ->
                        findings.add(
                                Check.SCHEMA_INVALID,
                                name,
                                "has an invalid %s: %s".formatted(member, why)));
    }

    private static String shown(JsonNode node) {
        return cut(node.toString());
    }

    private static String cut(String text) {
        return text.length() > LONGEST_SHOWN ? text.substring(0, LONGEST_SHOWN) + "…" : text;
    }
}
