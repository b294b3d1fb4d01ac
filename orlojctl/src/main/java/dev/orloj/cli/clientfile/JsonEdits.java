package dev.orloj.cli.clientfile;

import dev.orloj.api.codec.Json;
import dev.orloj.cli.clientfile.JsonText.Container;
import dev.orloj.cli.clientfile.JsonText.Member;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Changes entries in the text of a JSON document, and nothing else in it. */
final class JsonEdits {

    private final String text;
    private final String newline;

    private record Replacement(int start, int end, String content) {}

    private JsonEdits(String text) {
        this.text = text;
        this.newline = text.contains("\r\n") ? "\r\n" : "\n";
    }

    static String apply(String text, Edit edit) {
        return new JsonEdits(text.isBlank() ? "{\n}\n" : text).apply(edit);
    }

    private String apply(Edit edit) {
        Optional<Container> section = new JsonText(text).find(edit.path());
        if (section.isEmpty()) {
            return withSection(edit);
        }
        Container container = section.get();
        List<Member> members = container.members();
        Optional<Member> place = place(container, edit);
        List<Replacement> changes = new ArrayList<>();
        if (edit.entry().isPresent()) {
            if (place.isEmpty()) {
                return append(container, edit.name(), edit.entry().get(), edit.isList());
            }
            changes.add(rewritten(container, place.get(), edit, edit.entry().get()));
        }
        for (int i = 0; i < members.size(); i++) {
            Member member = members.get(i);
            if (edit.removed().contains(member.key()) && !place.equals(Optional.of(member))) {
                remove(member, changes);
                if (member.comma() < 0) {
                    lastComma(members.subList(0, i), edit, place).ifPresent(changes::add);
                }
            }
        }
        return applied(changes);
    }

    /** Returns the member that the new entry replaces. */
    private static Optional<Member> place(Container container, Edit edit) {
        if (edit.entry().isEmpty()) {
            return Optional.empty();
        }
        Optional<Member> same = edit.isList() ? Optional.empty() : container.member(edit.name());
        return same.or(
                () ->
                        container.members().stream()
                                .filter(m -> edit.removed().contains(m.key()))
                                .findFirst());
    }

    private Replacement rewritten(Container container, Member place, Edit edit, JsonNode entry) {
        String indent = indentOf(place.start()).orElse("");
        return new Replacement(
                place.start(),
                place.end(),
                member(edit.name(), entry, edit.isList(), indent, unit(container, indent)));
    }

    /** Returns the removal of the comma after the last member that stays. */
    private static Optional<Replacement> lastComma(
            List<Member> before, Edit edit, Optional<Member> place) {
        return before.reversed().stream()
                .filter(m -> !edit.removed().contains(m.key()) || place.equals(Optional.of(m)))
                .findFirst()
                .map(kept -> new Replacement(kept.comma(), kept.comma() + 1, ""));
    }

    /** Removes a member and its comma, and the line if nothing else is on it. */
    private void remove(Member member, List<Replacement> changes) {
        int comma = member.comma();
        if (comma > 0 && !text.substring(member.end(), comma).isBlank()) {
            changes.add(new Replacement(member.start(), member.end(), ""));
            changes.add(new Replacement(comma, comma + 1, ""));
            return;
        }
        int start = member.start();
        while (start > 0 && " \t".indexOf(text.charAt(start - 1)) >= 0) {
            start--;
        }
        int end = comma > 0 ? comma + 1 : member.end();
        int lineEnd = end;
        while (" \t\r".indexOf(text.charAt(lineEnd)) >= 0) {
            lineEnd++;
        }
        boolean isAlone =
                start > 0 && text.charAt(start - 1) == '\n' && text.charAt(lineEnd) == '\n';
        changes.add(
                isAlone
                        ? new Replacement(start, lineEnd + 1, "")
                        : new Replacement(member.start(), end, ""));
    }

    /** Adds the section, and those around it that are missing, at the end of its parent. */
    private String withSection(Edit edit) {
        List<String> path = edit.path();
        JsonNode entry = edit.entry().orElseThrow();
        for (int known = path.size() - 1; known >= 0; known--) {
            Optional<Container> parent = new JsonText(text).find(path.subList(0, known));
            if (parent.isPresent()) {
                JsonNode content =
                        edit.isList()
                                ? Json.MAPPER.createArrayNode().add(entry)
                                : Json.MAPPER.createObjectNode().set(edit.name(), entry);
                for (int i = path.size() - 1; i > known; i--) {
                    content = Json.MAPPER.createObjectNode().set(path.get(i), content);
                }
                return append(parent.get(), path.get(known), content, false);
            }
        }
        throw new ClientFileException("the document is no object");
    }

    private String append(Container container, String name, JsonNode value, boolean isList) {
        List<Member> members = container.members();
        if (members.isEmpty()) {
            String outer = indentOf(container.open()).orElse(lineIndent(container.open()));
            String indent = outer + "  ";
            return text.substring(0, container.open() + 1)
                    + text.substring(container.open() + 1, container.close()).stripTrailing()
                    + newline
                    + indent
                    + member(name, value, isList, indent, "  ")
                    + newline
                    + outer
                    + text.substring(container.close());
        }
        Member last = members.getLast();
        Optional<String> indent = indentOf(last.start());
        String separator = indent.map(i -> newline + i).orElse(" ");
        String content =
                separator
                        + member(
                                name,
                                value,
                                isList,
                                indent.orElse(""),
                                unit(container, indent.orElse("")));
        int at = last.comma() < 0 ? last.end() : last.comma() + 1;
        int after = indent.isPresent() ? afterComment(at) : at;
        return text.substring(0, last.end())
                + (last.comma() < 0 ? "," : text.substring(last.end(), at))
                + text.substring(at, after)
                + content
                + text.substring(after);
    }

    /** Returns the position after a comment on the rest of the line. */
    private int afterComment(int from) {
        int end = text.indexOf('\n', from);
        String rest = end < 0 ? "" : text.substring(from, end).strip();
        boolean isComment = rest.startsWith("//") || rest.startsWith("/*") && rest.endsWith("*/");
        return isComment ? from + text.substring(from, end).stripTrailing().length() : from;
    }

    private String applied(List<Replacement> changes) {
        changes.sort(Comparator.comparingInt(Replacement::start));
        Collections.reverse(changes);
        StringBuilder result = new StringBuilder(text);
        changes.forEach(c -> result.replace(c.start(), c.end(), c.content()));
        return result.toString();
    }

    /** Returns the white space before a position, if nothing else is before it on its line. */
    private Optional<String> indentOf(int position) {
        int start = text.lastIndexOf('\n', position - 1) + 1;
        String before = text.substring(start, position);
        return before.isBlank() && start > 0 ? Optional.of(before) : Optional.empty();
    }

    private String lineIndent(int position) {
        int start = text.lastIndexOf('\n', position - 1) + 1;
        int end = start;
        while (end < text.length() && " \t".indexOf(text.charAt(end)) >= 0) {
            end++;
        }
        return text.substring(start, end);
    }

    /** Returns by how much a level is indented; empty when all is on one line. */
    private String unit(Container container, String indent) {
        String outer = lineIndent(container.close());
        boolean isIndented = indent.startsWith(outer) && indent.length() > outer.length();
        return isIndented ? indent.substring(outer.length()) : indent.isEmpty() ? "" : "  ";
    }

    private String member(String name, JsonNode value, boolean isList, String indent, String unit) {
        String content = write(value, indent, unit);
        return isList ? content : Json.MAPPER.writeValueAsString(name) + ": " + content;
    }

    private String write(JsonNode node, String indent, String unit) {
        boolean isSimple = node.valueStream().noneMatch(JsonNode::isContainer);
        if (!node.isContainer() || node.isEmpty() || unit.isEmpty() || node.isArray() && isSimple) {
            return compact(node);
        }
        String inner = indent + unit;
        List<String> parts = new ArrayList<>();
        if (node.isArray()) {
            node.forEach(item -> parts.add(inner + write(item, inner, unit)));
        } else {
            node.properties()
                    .forEach(
                            f ->
                                    parts.add(
                                            inner
                                                    + Json.MAPPER.writeValueAsString(f.getKey())
                                                    + ": "
                                                    + write(f.getValue(), inner, unit)));
        }
        String brackets = node.isArray() ? "[]" : "{}";
        return brackets.charAt(0)
                + newline
                + String.join("," + newline, parts)
                + newline
                + indent
                + brackets.charAt(1);
    }

    private static String compact(JsonNode node) {
        if (node.isArray()) {
            return "["
                    + String.join(", ", node.valueStream().map(JsonEdits::compact).toList())
                    + "]";
        }
        if (node.isObject()) {
            return "{"
                    + String.join(
                            ", ",
                            node.propertyStream()
                                    .map(
                                            f ->
                                                    Json.MAPPER.writeValueAsString(f.getKey())
                                                            + ": "
                                                            + compact(f.getValue()))
                                    .toList())
                    + "}";
        }
        return Json.MAPPER.writeValueAsString(node);
    }
}
