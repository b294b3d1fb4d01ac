package dev.orloj.cli.clientfile;

import dev.orloj.cli.output.Documents;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Changes entries of a section in block style in the text of a YAML document, line by line. */
final class YamlEdits {

    private static final Pattern KEY = Pattern.compile("\\s*([\"']?)(.*?)\\1\\s*:(\\s.*)?");

    private final List<String> lines;
    private final String newline;

    /** The indentation of the entries of the section. */
    private int entryIndent = 2;

    /** An entry: its key and its lines, without comments that follow it. */
    private record Block(String key, int start, int end) {}

    private YamlEdits(String text) {
        lines = new ArrayList<>(List.of(text.split("(?<=\n)", -1)));
        if (lines.getLast().isEmpty()) {
            lines.removeLast();
        }
        newline = text.contains("\r\n") ? "\r\n" : "\n";
    }

    static String apply(String text, Edit edit) {
        return new YamlEdits(text).apply(edit);
    }

    private String apply(Edit edit) {
        int header = header(edit.path());
        if (header < 0) {
            return withSection(edit);
        }
        if (!content(header).endsWith(":")) {
            throw new ClientFileException(
                    "\"%s\" is not in block style".formatted(content(header).strip()));
        }
        List<Block> blocks = blocks(header, edit.isList());
        int place = -1;
        for (int i = blocks.size() - 1; i >= 0; i--) {
            Block block = blocks.get(i);
            boolean isSame = !edit.isList() && block.key().equals(edit.name());
            if (edit.removed().contains(block.key()) || isSame && edit.entry().isPresent()) {
                lines.subList(block.start(), block.end()).clear();
                place = block.start();
            }
        }
        if (edit.entry().isPresent()) {
            int at = place >= 0 ? place : blocks.isEmpty() ? header + 1 : blocks.getLast().end();
            endLine(at - 1);
            lines.addAll(at, entry(edit, entryIndent));
        }
        return String.join("", lines);
    }

    private void endLine(int line) {
        if (line >= 0 && !lines.get(line).endsWith("\n")) {
            lines.set(line, lines.get(line) + newline);
        }
    }

    private String withSection(Edit edit) {
        if (edit.path().size() != 1) {
            throw new ClientFileException("there is no " + String.join(".", edit.path()));
        }
        endLine(lines.size() - 1);
        lines.add(edit.path().getFirst() + ":" + newline);
        lines.addAll(entry(edit, entryIndent));
        return String.join("", lines);
    }

    private List<String> entry(Edit edit, int indent) {
        List<String> result = new ArrayList<>();
        String pad = " ".repeat(indent);
        if (!edit.isList()) {
            result.add(pad + edit.name() + ":" + newline);
        }
        for (String line : Documents.toYaml(edit.entry().orElseThrow()).lines().toList()) {
            String lead = !edit.isList() ? "  " : result.isEmpty() ? "- " : "  ";
            result.add(pad + lead + line + newline);
        }
        return result;
    }

    /** Returns the line that a path of keys leads to, or -1. */
    private int header(List<String> path) {
        int line = -1;
        int indent = -1;
        for (String key : path) {
            int found = -1;
            for (int i = line + 1; i < lines.size() && found < 0; i++) {
                if (isContent(i)) {
                    if (indent(lines.get(i)) <= indent) {
                        return -1;
                    }
                    found =
                            keyOf(i).equals(key) && (indent >= 0 || indent(lines.get(i)) == 0)
                                    ? i
                                    : -1;
                }
            }
            if (found < 0) {
                return -1;
            }
            line = found;
            indent = indent(lines.get(found));
        }
        return line;
    }

    private List<Block> blocks(int header, boolean isList) {
        int outer = indent(lines.get(header));
        entryIndent = outer + 2;
        List<Block> blocks = new ArrayList<>();
        int first = nextContent(header + 1);
        if (first >= lines.size() || indent(lines.get(first)) < (isList ? outer : outer + 1)) {
            return blocks;
        }
        entryIndent = indent(lines.get(first));
        int at = first;
        while (at < lines.size() && startsEntry(at, entryIndent, isList)) {
            int next = at + 1;
            while (next < lines.size()
                    && (!isContent(next) || indent(lines.get(next)) > entryIndent)) {
                next++;
            }
            int end = next;
            while (end > at + 1 && isOutside(end - 1)) {
                end--;
            }
            String key = isList ? Integer.toString(blocks.size()) : keyOf(at);
            blocks.add(new Block(key, at, end));
            at = next;
        }
        return blocks;
    }

    private boolean startsEntry(int line, int indent, boolean isList) {
        return indent(lines.get(line)) == indent
                && (!isList || content(line).stripLeading().startsWith("-"));
    }

    /** Returns whether a line after an entry is blank, or a comment that is not indented deeper. */
    private boolean isOutside(int line) {
        return lines.get(line).isBlank()
                || !isContent(line) && indent(lines.get(line)) <= entryIndent;
    }

    private int nextContent(int from) {
        int at = from;
        while (at < lines.size() && !isContent(at)) {
            at++;
        }
        return at;
    }

    private boolean isContent(int line) {
        String content = lines.get(line).strip();
        return !content.isEmpty() && !content.startsWith("#");
    }

    /** Returns a line without its comment. */
    private String content(int line) {
        return lines.get(line).replaceFirst("\\s+#.*", "").stripTrailing();
    }

    private String keyOf(int line) {
        Matcher key = KEY.matcher(lines.get(line).stripTrailing());
        return key.matches() ? key.group(2) : "";
    }

    private static int indent(String line) {
        int indent = 0;
        while (indent < line.length() && line.charAt(indent) == ' ') {
            indent++;
        }
        return indent;
    }
}
