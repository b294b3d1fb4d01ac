package dev.orloj.cli.clientfile;

import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.MalformedDocumentException;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Changes the tables of entries in the text of a TOML document, and nothing else in it. */
final class TomlEdits {

    private static final Pattern BARE = Pattern.compile("[A-Za-z0-9_-]+");

    private final String text;
    private final String newline;

    /** What a part of the text is. */
    private enum Form {
        TABLE,
        /** An element of an array of tables. */
        ELEMENT,
        /** A key with its value, in the table of the section or above it. */
        VALUE
    }

    /**
     * A part of the text.
     *
     * @param path its keys
     * @param start of its line
     * @param end of its content; that of a table is before comments that belong to the next one
     */
    private record Part(List<String> path, Form form, int start, int end) {}

    private TomlEdits(String text) {
        this.text = text;
        this.newline = text.contains("\r\n") ? "\r\n" : "\n";
    }

    static String apply(String text, Edit edit) {
        return new TomlEdits(text).apply(edit);
    }

    private String apply(Edit edit) {
        List<Part> removed = new ArrayList<>();
        Optional<Part> last = Optional.empty();
        int position = -1;
        for (Part part : parts(edit.path())) {
            if (!startsWith(part.path(), edit.path())) {
                continue;
            }
            if (part.form() != Form.VALUE) {
                last = Optional.of(part);
            }
            if (part.form() == Form.ELEMENT && part.path().equals(edit.path())) {
                position++;
            }
            String key = edit.isList() ? Integer.toString(position) : key(part, edit.path());
            boolean isSame = !edit.isList() && key.equals(edit.name());
            if (edit.removed().contains(key) || isSame && edit.entry().isPresent()) {
                removed.add(part);
            }
        }
        return replaced(edit, removed, last);
    }

    private static String key(Part part, List<String> section) {
        return part.path().size() > section.size() ? part.path().get(section.size()) : "";
    }

    private String replaced(Edit edit, List<Part> removed, Optional<Part> last) {
        StringBuilder result = new StringBuilder(text);
        Optional<Part> place = removed.stream().filter(p -> p.form() != Form.VALUE).findFirst();
        int at = place.map(Part::start).orElse(last.map(Part::end).orElse(text.length()));
        edit.entry()
                .ifPresent(
                        entry -> {
                            boolean isLine = at == 0 || text.charAt(at - 1) == '\n';
                            String before =
                                    place.isPresent() ? "" : (isLine ? "" : newline) + newline;
                            result.insert(at, before + table(edit, entry));
                        });
        int inserted = result.length() - text.length();
        for (Part part : removed.reversed()) {
            int shift = part.start() >= at ? inserted : 0;
            result.delete(part.start() + shift, part.end() + shift);
        }
        return result.toString();
    }

    private static boolean startsWith(List<String> path, List<String> start) {
        return path.size() >= start.size() && path.subList(0, start.size()).equals(start);
    }

    private String table(Edit edit, ObjectNode entry) {
        StringBuilder out = new StringBuilder();
        List<String> path = new ArrayList<>(edit.path());
        if (!edit.isList()) {
            path.add(edit.name());
        }
        String header = String.join(".", path.stream().map(TomlEdits::key).toList());
        out.append(edit.isList() ? "[[" + header + "]]" : "[" + header + "]").append(newline);
        entry.properties()
                .forEach(
                        f ->
                                out.append(key(f.getKey()))
                                        .append(" = ")
                                        .append(value(f.getValue()))
                                        .append(newline));
        return out.toString();
    }

    private static String key(String name) {
        return BARE.matcher(name).matches() ? name : Json.MAPPER.writeValueAsString(name);
    }

    /** A basic string of TOML is a JSON string. */
    private static String value(JsonNode node) {
        if (node.isObject()) {
            return "{ "
                    + String.join(
                            ", ",
                            node.propertyStream()
                                    .map(f -> key(f.getKey()) + " = " + value(f.getValue()))
                                    .toList())
                    + " }";
        }
        return node.isArray()
                ? "[" + String.join(", ", node.valueStream().map(TomlEdits::value).toList()) + "]"
                : Json.MAPPER.writeValueAsString(node);
    }

    /** Returns the parts in the order of the text. */
    private List<Part> parts(List<String> section) {
        List<Part> parts = new ArrayList<>();
        List<String> table = List.of();
        int open = -1;
        int at = 0;
        while (at < text.length()) {
            String line = text.substring(at, lineEnd(at)).strip();
            if (line.startsWith("[")) {
                close(parts, open, at);
                table = path(line);
                open = parts.size();
                Form form = line.startsWith("[[") ? Form.ELEMENT : Form.TABLE;
                parts.add(new Part(table, form, at, text.length()));
                at = lineEnd(at);
                continue;
            }
            int end = statementEnd(at);
            if (!line.isEmpty() && !line.startsWith("#") && startsWith(section, table)) {
                List<String> path = new ArrayList<>(table);
                path.addAll(path(line.replaceFirst("=.*", "= 0")));
                parts.add(new Part(path, Form.VALUE, at, end));
            }
            at = end;
        }
        close(parts, open, text.length());
        return parts;
    }

    /** Ends a table before the comments and blank lines that precede a position. */
    private void close(List<Part> parts, int index, int position) {
        if (index < 0) {
            return;
        }
        Part open = parts.get(index);
        int end = position;
        while (end > open.start()) {
            int start = text.lastIndexOf('\n', end - 2) + 1;
            String line = text.substring(start, end).strip();
            if (start <= open.start() || !line.isEmpty() && !line.startsWith("#")) {
                break;
            }
            end = start;
        }
        parts.set(index, new Part(open.path(), open.form(), open.start(), end));
    }

    private int lineEnd(int from) {
        int end = text.indexOf('\n', from);
        return end < 0 ? text.length() : end + 1;
    }

    /** Returns the end of a line whose strings and arrays may go on over further lines. */
    private int statementEnd(int from) {
        int depth = 0;
        int at = from;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '"' || c == '\'') {
                at = stringEnd(at, c);
                continue;
            }
            if (c == '#') {
                at = lineEnd(at) - 1;
                c = text.charAt(at);
            }
            depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
            at++;
            if (c == '\n' && depth <= 0) {
                return at;
            }
        }
        return at;
    }

    private int stringEnd(int from, char quote) {
        String three = String.valueOf(quote).repeat(3);
        String end = text.startsWith(three, from) ? three : String.valueOf(quote);
        int at = from + end.length();
        while (at < text.length() && !text.startsWith(end, at)) {
            at += quote == '"' && text.charAt(at) == '\\' ? 2 : 1;
        }
        return Math.min(text.length(), at + end.length());
    }

    /** Returns the keys of a line, which the parser reads. */
    private static List<String> path(String line) {
        try {
            List<String> path = new ArrayList<>();
            JsonNode node = Syntax.TOML.parse(line + "\n");
            while (node.size() == 1 && node.isContainer()) {
                JsonNode inner = node;
                if (inner.isArray()) {
                    node = inner.get(0);
                    continue;
                }
                String key = inner.propertyNames().iterator().next();
                path.add(key);
                node = inner.path(key);
            }
            return path;
        } catch (MalformedDocumentException e) {
            return List.of();
        }
    }
}
