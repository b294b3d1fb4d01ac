package dev.orloj.api.approval;

import dev.orloj.api.ledger.CanonicalJson;
import dev.orloj.api.ledger.LedgerEntry;
import dev.orloj.api.ledger.RunningCode;

import tools.jackson.databind.node.ObjectNode;

import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Set;

/**
 * What a definition of a server is of. Its text is used in pins, decisions and messages: the name
 * of a tool on its server, {@code prompt/NAME}, {@code template/URI-TEMPLATE}, {@code
 * resource/URI}, {@code server/} and a part of what the server says of itself, or {@code
 * server/runs}. {@code tool/} goes before the name of a tool that looks like the text of another
 * definition.
 *
 * @param name on the server; empty for those of the server itself
 */
public record DefinitionName(Kind kind, String name) implements Comparable<DefinitionName> {

    /** The kinds of definitions. */
    public enum Kind {
        TOOL("Tool"),
        /** The {@code instructions} of a server, which models read. */
        INSTRUCTIONS("Instructions"),
        /** The {@code serverInfo} of a server, without version and icons. */
        SERVER_INFO("ServerInfo"),
        PROMPT(LedgerEntry.PROMPT),
        /** A resource template, by its URI template. */
        TEMPLATE(LedgerEntry.TEMPLATE),
        /** A resource that is listed, by its URI. */
        RESOURCE(LedgerEntry.RESOURCE),
        /** What runs behind the definitions of a server. */
        RUNS(LedgerEntry.RUNS);

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

    public static final DefinitionName RUNS = new DefinitionName(Kind.RUNS, "");

    /** The kinds that are listed by other methods than {@code tools/list}. */
    public static final Set<Kind> FEATURES =
            Collections.unmodifiableSet(EnumSet.of(Kind.PROMPT, Kind.TEMPLATE, Kind.RESOURCE));

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
            case "server/runs" -> RUNS;
            default -> {
                for (Kind kind : FEATURES) {
                    String prefix = LedgerEntry.prefix(kind.subject());
                    if (text.startsWith(prefix) && text.length() > prefix.length()) {
                        yield new DefinitionName(kind, text.substring(prefix.length()));
                    }
                }
                yield tool(
                        text.startsWith(TOOL_PREFIX) ? text.substring(TOOL_PREFIX.length()) : text);
            }
        };
    }

    public boolean isTool() {
        return kind == Kind.TOOL;
    }

    /** Returns whether it is of a prompt, a resource template or a resource. */
    public boolean isFeature() {
        return FEATURES.contains(kind);
    }

    /**
     * Returns whether pins withhold such a definition if they do not name it. What a server calls
     * itself, and what runs, are held only by pins of their own.
     */
    boolean needsPin() {
        return kind != Kind.SERVER_INFO && kind != Kind.RUNS;
    }

    /** Returns the text, which {@link #parse} reads. */
    public String text() {
        return switch (kind) {
            case TOOL -> isReserved(name) ? TOOL_PREFIX + name : name;
            case INSTRUCTIONS -> "server/instructions";
            case SERVER_INFO -> "server/info";
            case RUNS -> "server/runs";
            case PROMPT, TEMPLATE, RESOURCE -> LedgerEntry.prefix(kind.subject()) + name;
        };
    }

    private static boolean isReserved(String name) {
        int slash = name.indexOf('/');
        return slash > 0 && RESERVED.contains(name.substring(0, slash));
    }

    /** Returns what differs between two definitions of this kind; empty if nothing does. */
    Set<DefinitionChange> changes(ObjectNode before, ObjectNode after) {
        return switch (kind) {
            case TOOL, PROMPT, TEMPLATE, RESOURCE -> DefinitionChange.between(before, after);
            case INSTRUCTIONS, SERVER_INFO ->
                    CanonicalJson.digest(before).equals(CanonicalJson.digest(after))
                            ? Set.of()
                            : Set.of(DefinitionChange.TEXT);
            case RUNS ->
                    RunningCode.changes(before, after).isEmpty()
                            ? Set.of()
                            : Set.of(DefinitionChange.RUNS);
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
