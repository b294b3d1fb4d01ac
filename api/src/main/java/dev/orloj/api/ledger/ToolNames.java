package dev.orloj.api.ledger;

import dev.orloj.api.signature.Sha256;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Names new tools: one name for the Tool resource and one for clients. If a name is taken, or if
 * several new tools would get it, a hash of the original name is appended. Of several new tools,
 * the one whose original name is exactly that name keeps it. Names therefore depend only on the
 * existing names and not on the order of a list.
 *
 * @param resource name of the Tool, {@code github--create-issue}
 * @param agent name that clients see, {@code github__create_issue}
 */
public record ToolNames(String resource, String agent) {

    private static final int LONGEST_RESOURCE = 253;
    private static final int LONGEST_AGENT = 64;
    private static final int HASH_LENGTH = 8;
    private static final int WHOLE_HASH = 64;

    private static final int LONGEST_SERVER = 63;
    private static final String BEHIND_SERVER = "--";
    private static final String BEHIND_SERVER_OF_AGENT = "__";

    private static final Pattern NO_AGENT_CHARACTER = Pattern.compile("[^a-zA-Z0-9_-]");
    private static final Pattern NO_RESOURCE_CHARACTER = Pattern.compile("[^a-z0-9.-]");
    private static final Pattern AROUND_DOTS = Pattern.compile("-*\\.[.-]*");
    private static final Pattern ENDS = Pattern.compile("^[.-]+|[.-]+$");

    /** The rules for one of the two names: how to build it and how long it may be. */
    private record Style(
            String separator,
            int longest,
            Function<String, String> base,
            Predicate<String> isExact,
            Predicate<String> isTaken) {

        /**
         * Cuts the end of the base to make room for the suffix. The base must not end in a
         * separator.
         */
        String suffixed(String toolName, int hashLength) {
            String text = base.apply(toolName);
            int room = longest - separator.length() - hashLength;
            String cut = text.length() > room ? text.substring(0, room) : text;
            return ENDS.matcher(cut).replaceAll("") + separator + hash(toolName, hashLength);
        }
    }

    /**
     * Returns the names of all new tools by original name.
     *
     * @param server name of the McpServer, a DNS label
     * @param newcomers original names of tools that have no names yet, each once
     * @param resourceTaken whether the namespace has a Tool of that name
     * @param agentTaken whether the namespace has a Tool with that agent name
     */
    public static Map<String, ToolNames> assign(
            String server,
            Collection<String> newcomers,
            Predicate<String> resourceTaken,
            Predicate<String> agentTaken) {
        Map<String, String> resources =
                assign(
                        newcomers,
                        new Style(
                                "-",
                                LONGEST_RESOURCE,
                                tool -> resourceBase(server, tool),
                                tool ->
                                        resourceBase(server, tool)
                                                .equals(server + BEHIND_SERVER + tool),
                                resourceTaken));
        Map<String, String> agents =
                assign(
                        newcomers,
                        new Style(
                                "_",
                                LONGEST_AGENT,
                                tool -> agentBase(server, tool),
                                tool ->
                                        agentBase(server, tool)
                                                .equals(server + BEHIND_SERVER_OF_AGENT + tool),
                                agentTaken));
        Map<String, ToolNames> names = new TreeMap<>();
        resources.forEach(
                (tool, resource) ->
                        names.put(tool, new ToolNames(resource, agents.getOrDefault(tool, ""))));
        return names;
    }

    /**
     * Returns the names of the McpServers of which a Tool can have this name, the shortest first.
     *
     * @param resource name of the Tool
     */
    public static List<String> serversOf(String resource) {
        List<String> servers = new ArrayList<>();
        int end = resource.indexOf(BEHIND_SERVER);
        while (end >= 0 && end <= LONGEST_SERVER) {
            servers.add(resource.substring(0, end));
            end = resource.indexOf(BEHIND_SERVER, end + 1);
        }
        return servers;
    }

    /**
     * Returns the name of the McpServer whose tool clients can see under this name. Empty if there
     * can be none, or if its name was too long for the names of its tools.
     */
    public static Optional<String> serverOfAgentName(String agent) {
        return Optional.of(agent.indexOf(BEHIND_SERVER_OF_AGENT))
                .filter(end -> end > 0 && end <= LONGEST_SERVER)
                .map(end -> agent.substring(0, end));
    }

    /**
     * Returns the rest of the name of a tool, behind that of its server.
     *
     * @param name of the Tool, or the one that clients see
     */
    public static String behindServer(String name, String server) {
        return name.substring(server.length() + BEHIND_SERVER.length());
    }

    private static Map<String, String> assign(Collection<String> newcomers, Style style) {
        Map<String, List<String>> byBase =
                newcomers.stream().sorted().collect(Collectors.groupingBy(style.base()));
        Map<String, String> assigned = new HashMap<>();
        Set<String> given = new HashSet<>();
        byBase.forEach(
                (base, rivals) -> {
                    if (style.isTaken().test(base)) {
                        return;
                    }
                    rivals.stream()
                            .filter(tool -> rivals.size() == 1 || style.isExact().test(tool))
                            .findFirst()
                            .ifPresent(
                                    tool -> {
                                        assigned.put(tool, base);
                                        given.add(base);
                                    });
                });
        newcomers.stream()
                .sorted()
                .filter(tool -> !assigned.containsKey(tool))
                .forEach(
                        tool -> {
                            String name = suffixed(tool, style, given);
                            assigned.put(tool, name);
                            given.add(name);
                        });
        return assigned;
    }

    private static String suffixed(String tool, Style style, Set<String> given) {
        for (int length = HASH_LENGTH; length < WHOLE_HASH; length += HASH_LENGTH) {
            String name = style.suffixed(tool, length);
            if (name.length() <= style.longest()
                    && !given.contains(name)
                    && !style.isTaken().test(name)) {
                return name;
            }
        }
        throw new IllegalStateException(
                "No free name for tool \"%s\": all with a hash behind it are taken"
                        .formatted(tool));
    }

    /** Returns a lowercase name. Each part between dots begins and ends with a letter or digit. */
    private static String resourceBase(String server, String tool) {
        String slug = NO_RESOURCE_CHARACTER.matcher(tool.toLowerCase(Locale.ROOT)).replaceAll("-");
        String tidy = ENDS.matcher(AROUND_DOTS.matcher(slug).replaceAll(".")).replaceAll("");
        String base = server + BEHIND_SERVER + (tidy.isEmpty() ? hash(tool, HASH_LENGTH) : tidy);
        return cut(base, LONGEST_RESOURCE, "-", tool);
    }

    private static String agentBase(String server, String tool) {
        String base =
                server + BEHIND_SERVER_OF_AGENT + NO_AGENT_CHARACTER.matcher(tool).replaceAll("_");
        return cut(base, LONGEST_AGENT, "_", server + BEHIND_SERVER_OF_AGENT + tool);
    }

    private static String cut(String base, int longest, String separator, String original) {
        if (base.length() <= longest) {
            return base;
        }
        String head = base.substring(0, longest - separator.length() - HASH_LENGTH);
        return ENDS.matcher(head).replaceAll("") + separator + hash(original, HASH_LENGTH);
    }

    private static String hash(String text, int length) {
        return Sha256.hex(text).substring(0, length);
    }
}
