package dev.orloj.cli.clientfile;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a move did to a section.
 *
 * @param keys of the entries that left it
 * @param replacement the name of the entry that took their place; empty for none
 */
public record Moved(List<String> path, boolean isList, List<String> keys, String replacement) {

    ObjectNode toJson() {
        ObjectNode node = Json.MAPPER.createObjectNode();
        path.forEach(node.putArray("path")::add);
        node.put("list", isList);
        keys.forEach(node.putArray("keys")::add);
        return node.put("replacement", replacement);
    }

    static Moved of(JsonNode node) {
        return new Moved(
                node.path("path").valueStream().map(n -> n.asString("")).toList(),
                node.path("list").asBoolean(false),
                node.path("keys").valueStream().map(n -> n.asString("")).toList(),
                node.path("replacement").asString(""));
    }

    /** Takes the move back in a file that has changed since; entries that are there again stay. */
    ClientFile undone(ClientFile current, ObjectNode original) {
        JsonNode before = section(original);
        ClientFile result = current;
        Set<String> removed = replacements(current);
        for (String key : keys) {
            JsonNode node = isList ? before.path(Integer.parseInt(key)) : before.path(key);
            boolean isFree = removed.contains(key) || !section(current.root()).has(key);
            if (node instanceof ObjectNode entry && (isList || isFree)) {
                Edit edit = new Edit(path, isList, removed, key, Optional.of(entry));
                result = FileEdit.changed(result, edit);
                removed = Set.of();
            }
        }
        return removed.isEmpty()
                ? result
                : FileEdit.changed(result, new Edit(path, isList, removed, "", Optional.empty()));
    }

    private Set<String> replacements(ClientFile current) {
        return new Section(path, section(current.root()))
                .entries().stream()
                        .filter(e -> !replacement.isEmpty() && e.name().equals(replacement))
                        .map(Section.Entry::key)
                        .collect(Collectors.toSet());
    }

    private JsonNode section(ObjectNode root) {
        JsonNode node = root;
        for (String name : path) {
            node = node.path(name);
        }
        return node;
    }
}
