package dev.orloj.api.codec;

import dev.orloj.api.Frozen;

import tools.jackson.databind.node.ObjectNode;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A resource as it was written.
 *
 * @param root the content; for a duplicate field, the last value
 * @param duplicates paths of duplicate fields
 * @param lines the line of each field by its path; the document itself has the empty path
 */
public record Document(ObjectNode root, List<String> duplicates, Map<String, Integer> lines) {

    public Document {
        duplicates = List.copyOf(duplicates);
        lines = Frozen.map(lines);
    }

    /** Returns the document at {@code path} inside this one. */
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

    /** Returns the line of a field or, if the field is absent, of its nearest parent. */
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
     * Converts a map key in brackets, {@code spec.data[key]}, which errors use, to the form of the
     * lines.
     */
    private static String asFields(String path) {
        int bracket = path.lastIndexOf('[');
        return bracket >= 0 && path.endsWith("]")
                ? path.substring(0, bracket) + "." + path.substring(bracket + 1, path.length() - 1)
                : path;
    }
}
