package dev.orloj.cli.clientfile;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

import java.util.ArrayList;
import java.util.List;

/**
 * A part of a file that lists servers: an object keyed by name, or an array.
 *
 * @param path the members that lead to it; empty for the whole document
 */
public record Section(List<String> path, JsonNode node) {

    /** The most servers of a section. */
    static final int MAX_ENTRIES = 1_000;

    /**
     * A server in a section.
     *
     * @param key the name or, in an array, the position
     * @param name as written; empty when the entry has none
     */
    public record Entry(Section section, String key, String name, JsonNode node) {

        /** Returns where it is, such as {@code mcpServers.github}. */
        public String where() {
            List<String> all = new ArrayList<>(section.path());
            all.add(key);
            return String.join(".", all);
        }
    }

    public boolean isList() {
        return node.isArray();
    }

    /**
     * Returns the servers in the order of the file.
     *
     * @throws ClientFileException when there are too many
     */
    public List<Entry> entries() {
        if (node.size() > MAX_ENTRIES) {
            throw new ClientFileException(
                    "%s has %d entries; at most %d are read: split the file"
                            .formatted(String.join(".", path), node.size(), MAX_ENTRIES));
        }
        List<Entry> entries = new ArrayList<>();
        if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                JsonNode item = array.get(i);
                entries.add(
                        new Entry(this, Integer.toString(i), item.path("name").asString(""), item));
            }
        } else {
            node.properties()
                    .forEach(
                            field ->
                                    entries.add(
                                            new Entry(
                                                    this,
                                                    field.getKey(),
                                                    field.getKey(),
                                                    field.getValue())));
        }
        return entries;
    }
}
