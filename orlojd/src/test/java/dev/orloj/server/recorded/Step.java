package dev.orloj.server.recorded;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One block of a script: what to send, and how to read the answer.
 *
 * @param directives lines {@code # @name value} of the block; see the README beside the scripts
 * @param method and path are empty where the step reads on from an open stream
 */
record Step(
        String name,
        Map<String, List<String>> directives,
        String method,
        String path,
        List<String> headers,
        String body) {

    private static final String TITLE = "### ";
    private static final String DIRECTIVE = "# @";

    /** The steps of a script. */
    static List<Step> parse(String script) {
        List<Step> steps = new ArrayList<>();
        for (String block : script.split("(?m)^(?=### )")) {
            if (block.startsWith(TITLE)) {
                steps.add(parseBlock(block.stripTrailing().lines().toList()));
            }
        }
        return steps;
    }

    private static Step parseBlock(List<String> lines) {
        Map<String, List<String>> directives = new LinkedHashMap<>();
        int at = 1;
        for (; at < lines.size() && lines.get(at).startsWith("#"); at++) {
            if (lines.get(at).startsWith(DIRECTIVE)) {
                String[] parts = lines.get(at).substring(DIRECTIVE.length()).split(" ", 2);
                directives
                        .computeIfAbsent(parts[0], name -> new ArrayList<>())
                        .add(parts.length > 1 ? parts[1].strip() : "");
            }
        }
        String[] request = at < lines.size() ? lines.get(at).split(" ", 2) : new String[] {"", ""};
        List<String> headers = new ArrayList<>();
        for (at++; at < lines.size() && !lines.get(at).isEmpty(); at++) {
            headers.add(lines.get(at));
        }
        String body =
                at < lines.size() ? String.join("\n", lines.subList(at + 1, lines.size())) : "";
        String name = lines.getFirst().substring(TITLE.length());
        return new Step(name, directives, request[0], request[1], headers, body);
    }

    boolean has(String directive) {
        return directives.containsKey(directive);
    }

    Optional<String> directive(String name) {
        return Optional.ofNullable(directives.get(name)).map(List::getFirst);
    }

    List<String> all(String name) {
        return directives.getOrDefault(name, List.of());
    }
}
