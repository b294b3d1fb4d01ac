package dev.orloj.api.approval;

import dev.orloj.api.ledger.CanonicalJson;

import tools.jackson.databind.node.ObjectNode;

import java.util.Comparator;
import java.util.Set;

/**
 * What a definition of a server is of. Its text is used in pins, decisions and messages: the name
 * of a tool on its server, or {@code server/} and a part of what the server says of itself. {@code
 * tool/} goes before the name of a tool that looks like the text of another definition.
 *
 * @param name of a tool on its server; empty for other kinds
 */
public record DefinitionName(Kind kind, String name) implements Comparable<DefinitionName> {

    /** The kinds of definitions. */
    public enum Kind {
        TOOL("Tool"),
        /** The {@code instructions} of a server, which models read. */
        INSTRUCTIONS("Instructions"),
        /** The {@code serverInfo} of a server, without version and icons. */
        SERVER_INFO("ServerInfo");

        private final String subject;

        Kind(String subject) {
            this.subject = subject;
        }

        /** Returns the subject of entries of the ledger about such definitions. */
        public String subject() {
            return subject;
        }
    }

    public static final DefinitionName INSTRUCTIONS = new DefinitionName(Kind.INSTRUCTIONS, "");
    public static final DefinitionName SERVER_INFO = new DefinitionName(Kind.SERVER_INFO, "");

    private static final String TOOL_PREFIX = "tool/";

    /** Those of tools, and those of kinds that a tool must not be taken for. */
    private static final Set<String> RESERVED =
            Set.of("tool", "server", "prompt", "template", "resource");

    /**
     * @param name of a tool on its server
     */
    public static DefinitionName tool(String name) {
        return new DefinitionName(Kind.TOOL, name);
    }

    /** Reads a text. What is the text of no other definition is the name of a tool. */
    public static DefinitionName parse(String text) {
        return switch (text) {
            case "server/instructions" -> INSTRUCTIONS;
            case "server/info" -> SERVER_INFO;
            default ->
                    tool(
                            text.startsWith(TOOL_PREFIX)
                                    ? text.substring(TOOL_PREFIX.length())
                                    : text);
        };
    }

    public boolean isTool() {
        return kind == Kind.TOOL;
    }

    /**
     * Returns whether pins withhold such a definition if they do not name it. What a server calls
     * itself is held only by a pin of its own.
     */
    boolean needsPin() {
        return kind != Kind.SERVER_INFO;
    }

    /** Returns the text, which {@link #parse} reads. */
    public String text() {
        return switch (kind) {
            case TOOL -> isReserved(name) ? TOOL_PREFIX + name : name;
            case INSTRUCTIONS -> "server/instructions";
            case SERVER_INFO -> "server/info";
        };
    }

    private static boolean isReserved(String name) {
        int slash = name.indexOf('/');
        return slash > 0 && RESERVED.contains(name.substring(0, slash));
    }

    /** Returns what differs between two definitions of this kind; empty if nothing does. */
    Set<DefinitionChange> changes(ObjectNode before, ObjectNode after) {
        return switch (kind) {
            case TOOL -> DefinitionChange.between(before, after);
            case INSTRUCTIONS, SERVER_INFO ->
                    CanonicalJson.digest(before).equals(CanonicalJson.digest(after))
                            ? Set.of()
                            : Set.of(DefinitionChange.TEXT);
        };
    }

    @Override
    public int compareTo(DefinitionName other) {
        return Comparator.comparing(DefinitionName::kind)
                .thenComparing(DefinitionName::name)
                .compare(this, other);
    }

    @Override
    public String toString() {
        return text();
    }
}
