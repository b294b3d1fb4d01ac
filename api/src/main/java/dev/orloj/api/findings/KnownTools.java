package dev.orloj.api.findings;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;

/**
 * Compares a definition with the tools of other servers. Names that many servers have, such as
 * {@code search}, are never a finding by themselves. As thread-safe as its function.
 */
public final class KnownTools {

    /** Nothing to compare with. */
    public static final KnownTools NONE = new KnownTools(_ -> List.of());

    /** The most tools that are compared for a term. */
    public static final int MAX_OF_TERM = 20;

    /** Servers beyond these make a name an ordinary one. */
    private static final int MAX_SERVERS = 2;

    private static final int SHORTEST_DISTINCTIVE = 10;
    private static final int LEAST_WORDS = 5;
    private static final int MAX_WORDS = 200;

    /**
     * A tool of another server.
     *
     * @param server whose tool it is
     * @param name as the server lists it
     */
    public record KnownTool(String server, String name, String description) {}

    private final Function<String, ? extends Collection<KnownTool>> byTerm;

    /**
     * @param byTerm returns the tools of other servers with a term of {@link #terms}, at most
     *     {@link #MAX_OF_TERM}
     */
    public KnownTools(Function<String, ? extends Collection<KnownTool>> byTerm) {
        this.byTerm = byTerm;
    }

    /** Returns the terms under which a tool with this name has to be found. */
    public static Set<String> terms(String name) {
        String exact = exact(name);
        String skeleton = Confusables.skeleton(name);
        return exact.equals(skeleton) ? Set.of(exact) : Set.of(exact, skeleton);
    }

    private static String exact(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    /**
     * Compares a definition.
     *
     * @param own the names of the tools of its server, in lower case
     */
    void examine(
            Definition definition,
            Set<String> own,
            List<DefinitionText> texts,
            FindingList findings) {
        if (definition.kind() == Definition.Kind.TOOL) {
            names(definition, findings);
        }
        for (DefinitionText text : texts) {
            if (text.role() == DefinitionText.Role.PROSE
                    || text.role() == DefinitionText.Role.VALUE) {
                mentions(own, text, findings);
            }
        }
    }

    private void names(Definition definition, FindingList findings) {
        String name = definition.name();
        String description = definition.content().path("description").asString("");
        byTerm.apply(exact(name)).stream()
                .filter(other -> exact(other.name()).equals(exact(name)))
                .filter(other -> isNearlySame(description, other.description()))
                .findFirst()
                .ifPresent(
                        other ->
                                findings.add(
                                        FindingRule.DUPLICATE_TOOL,
                                        FindingRule.DUPLICATE_TOOL.severity(),
                                        "/name",
                                        "The server %s has a tool of this name and text"
                                                .formatted(other.server())));
        String skeleton = Confusables.skeleton(name);
        byTerm.apply(skeleton).stream()
                .filter(other -> Confusables.skeleton(other.name()).equals(skeleton))
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

    private void mentions(Set<String> own, DefinitionText text, FindingList findings) {
        String raw = text.text();
        int start = 0;
        for (int i = 0; i <= raw.length(); i++) {
            char c = i < raw.length() ? raw.charAt(i) : ' ';
            if (c < 0x80 && (Character.isLetterOrDigit(c) || c == '_' || c == '-')) {
                continue;
            }
            if (i - start >= SHORTEST_DISTINCTIVE && i - start <= 128) {
                mention(own, text, start, i, findings);
            }
            start = i + 1;
        }
    }

    private void mention(
            Set<String> own, DefinitionText text, int start, int end, FindingList findings) {
        String name = text.text().substring(start, end);
        if (!isDistinctive(name) || own.contains(exact(name))) {
            return;
        }
        List<String> servers =
                byTerm.apply(exact(name)).stream()
                        .filter(tool -> exact(tool.name()).equals(exact(name)))
                        .map(KnownTool::server)
                        .distinct()
                        .toList();
        if (!servers.isEmpty() && servers.size() <= MAX_SERVERS) {
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
