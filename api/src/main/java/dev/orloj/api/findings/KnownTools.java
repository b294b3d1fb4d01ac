package dev.orloj.api.findings;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The tools of all servers, to compare a definition with those of the others. Names that many
 * servers have, such as {@code search}, are never a finding by themselves. Immutable after its
 * creation.
 */
public final class KnownTools {

    /** Nothing to compare with. */
    public static final KnownTools NONE = new KnownTools(List.of());

    /** Servers beyond these make a name an ordinary one. */
    private static final int MAX_SERVERS = 2;

    private static final int SHORTEST_DISTINCTIVE = 10;
    private static final int LEAST_WORDS = 5;
    private static final int MAX_WORDS = 200;
    private static final int MAX_OF_NAME = 20;

    /**
     * A tool that is known.
     *
     * @param server whose tool it is, such as {@code namespace/name}
     * @param name as the server lists it
     */
    public record KnownTool(String server, String name, String description) {}

    private final Map<String, List<KnownTool>> byName = new HashMap<>();
    private final Map<String, List<KnownTool>> bySkeleton = new HashMap<>();

    public KnownTools(Collection<KnownTool> tools) {
        for (KnownTool tool : tools) {
            add(byName, tool.name().toLowerCase(Locale.ROOT), tool);
            add(bySkeleton, Confusables.skeleton(tool.name()), tool);
        }
    }

    private static void add(Map<String, List<KnownTool>> index, String key, KnownTool tool) {
        List<KnownTool> tools = index.computeIfAbsent(key, _ -> new ArrayList<>(1));
        if (tools.size() < MAX_OF_NAME) {
            tools.add(tool);
        }
    }

    /** Compares a definition of a server with the tools of the other servers. */
    void examine(
            Definition definition,
            String server,
            List<DefinitionText> texts,
            FindingList findings) {
        if (byName.isEmpty()) {
            return;
        }
        if (definition.kind() == Definition.Kind.TOOL) {
            names(definition, server, findings);
        }
        for (DefinitionText text : texts) {
            if (text.role() == DefinitionText.Role.PROSE
                    || text.role() == DefinitionText.Role.VALUE) {
                mentions(definition, server, text, findings);
            }
        }
    }

    private void names(Definition definition, String server, FindingList findings) {
        String name = definition.name();
        String description = definition.content().path("description").asString("");
        others(byName, name.toLowerCase(Locale.ROOT), server)
                .filter(other -> isNearlySame(description, other.description()))
                .findFirst()
                .ifPresent(
                        other ->
                                findings.add(
                                        FindingRule.DUPLICATE_TOOL,
                                        FindingSeverity.MEDIUM,
                                        "/name",
                                        "The server %s has a tool of this name and text"
                                                .formatted(other.server())));
        others(bySkeleton, Confusables.skeleton(name), server)
                .filter(other -> !plain(other.name()).equals(plain(name)))
                .findFirst()
                .ifPresent(
                        other ->
                                findings.add(
                                        FindingRule.LOOK_ALIKE_NAME,
                                        isAscii(name) && isAscii(other.name())
                                                ? FindingSeverity.MEDIUM
                                                : FindingSeverity.HIGH,
                                        "/name",
                                        "The name looks like \"%s\" of the server %s"
                                                .formatted(
                                                        Excerpt.escape(other.name()),
                                                        other.server())));
    }

    private static Stream<KnownTool> others(
            Map<String, List<KnownTool>> index, String key, String server) {
        return index.getOrDefault(key, List.of()).stream()
                .filter(tool -> !tool.server().equals(server));
    }

    /** Returns a name without what differs by the style of a server only. */
    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replace("_", "").replace("-", "").replace(".", "");
    }

    private static boolean isAscii(String name) {
        return name.chars().allMatch(c -> c < 0x80);
    }

    /** Returns whether two texts have four of five words in common. */
    private static boolean isNearlySame(String one, String other) {
        int[] a = hashes(one);
        int[] b = hashes(other);
        if (Math.min(a.length, b.length) < LEAST_WORDS) {
            return one.equals(other) && !one.isEmpty();
        }
        long common = Arrays.stream(a).filter(hash -> Arrays.binarySearch(b, hash) >= 0).count();
        return common * 5 >= (a.length + b.length - common) * 4;
    }

    private static int[] hashes(String text) {
        return Words.of(text.substring(0, Math.min(text.length(), 4_000)), false).stream()
                .mapToInt(word -> word.text().hashCode())
                .distinct()
                .limit(MAX_WORDS)
                .sorted()
                .toArray();
    }

    private void mentions(
            Definition definition, String server, DefinitionText text, FindingList findings) {
        String raw = text.text();
        int start = 0;
        for (int i = 0; i <= raw.length(); i++) {
            char c = i < raw.length() ? raw.charAt(i) : ' ';
            if (c < 0x80 && (Character.isLetterOrDigit(c) || c == '_' || c == '-')) {
                continue;
            }
            if (i - start >= SHORTEST_DISTINCTIVE && i - start <= 128) {
                mention(definition, server, text, start, i, findings);
            }
            start = i + 1;
        }
    }

    private void mention(
            Definition definition,
            String server,
            DefinitionText text,
            int start,
            int end,
            FindingList findings) {
        String name = text.text().substring(start, end);
        List<KnownTool> tools = byName.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
        if (tools.isEmpty() || !isDistinctive(name) || name.equalsIgnoreCase(definition.name())) {
            return;
        }
        List<String> servers = tools.stream().map(KnownTool::server).distinct().toList();
        if (servers.size() <= MAX_SERVERS && !servers.contains(server)) {
            findings.add(
                    FindingRule.FOREIGN_TOOL_NAME,
                    text,
                    start,
                    end,
                    "The tool \"%s\" of the server %s".formatted(name, servers.getFirst()));
        }
    }

    /** Returns whether a name has several words, so that no prose has it by chance. */
    private static boolean isDistinctive(String name) {
        for (int i = 1; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == '_'
                    || c == '-'
                    || Character.isUpperCase(c) && Character.isLowerCase(name.charAt(i - 1))) {
                return true;
            }
        }
        return false;
    }
}
