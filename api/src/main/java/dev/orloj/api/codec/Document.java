package dev.orloj.api.codec;

import dev.orloj.api.Frozen;

import tools.jackson.databind.node.ObjectNode;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A resource as it was written.
 *
 * @param root the content; of a field given twice, the last
 * @param duplicates paths of the fields that were given twice
 * @param lines the line of each field, by its path; the document itself has the empty path
 */
public record Document(ObjectNode root, List<String> duplicates, Map<String, Integer> lines) {

    public Document {
        duplicates = List.copyOf(duplicates);
        lines = Frozen.map(lines);
    }

    /** The document that stands at {@code path} inside this one. */
    Document part(String path, ObjectNode content) {
        Map<String, Integer> inner = new HashMap<>();
        lines.forEach(
                (field, line) -> {
                    if (field.equals(path)) {
                        inner.put("", line);
                    } else if (field.startsWith(path + ".")) {
                        inner.put(field.substring(path.length() + 1), line);
                    }
                });
        return new Document(content, List.of(), inner);
    }

    /** The line of a field or, when the field is absent, of the nearest that encloses it. */
    public int lineOf(String path) {
        String at = path;
        while (!at.isEmpty()) {
            Integer line = lines.getOrDefault(at, lines.get(asFields(at)));
            if (line != null) {
                return line;
            }
            at = at.substring(0, Math.max(0, Math.max(at.lastIndexOf('.'), at.lastIndexOf('['))));
        }
        return lines.getOrDefault("", 1);
    }

    /**
     * Errors write the key of a map in brackets, {@code spec.data[key]}; lines know it as field.
     */
    private static String asFields(String path) {
        int bracket = path.lastIndexOf('[');
        return bracket >= 0 && path.endsWith("]")
                ? path.substring(0, bracket) + "." + path.substring(bracket + 1, path.length() - 1)
                : path;
    }
}
