package dev.orloj.cli.rendering;

import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Format;
import dev.orloj.cli.command.Suggestions;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.jsonpath.PathException;
import dev.orloj.cli.jsonpath.PathTemplate;
import dev.orloj.cli.output.FileErrors;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/** The value of {@code -o}: one of the formats, or a template of the user. */
public sealed interface Rendering {

    /** A format without a template. */
    record Standard(Format format) implements Rendering {}

    /** {@code jsonpath=TEMPLATE}. */
    record Template(PathTemplate template) implements Rendering {}

    /** {@code custom-columns=HEADING:PATH,...}. */
    record Columns(CustomColumns columns) implements Rendering {}

    static Rendering parse(String text) {
        int sign = text.indexOf('=');
        String name = sign < 0 ? text : text.substring(0, sign);
        String template = sign < 0 ? "" : text.substring(sign + 1);
        return switch (name) {
            case "jsonpath" -> path(required(name, template));
            case "jsonpath-file" -> path(file(required(name, template)));
            case "custom-columns" -> new Columns(CustomColumns.parse(required(name, template)));
            case "custom-columns-file" ->
                    new Columns(CustomColumns.parseFile(file(required(name, template))));
            case "go-template", "go-template-file", "template", "templatefile" ->
                    throw new UsageException(
                            "orlojctl has no Go templates: use -o jsonpath=, such as"
                                    + " -o jsonpath='{.items[*].metadata.name}'");
            default -> standard(text);
        };
    }

    private static Rendering standard(String text) {
        try {
            return new Standard(Format.parse(text));
        } catch (UsageException e) {
            String guess =
                    Suggestions.closest(text, List.of("jsonpath", "custom-columns"))
                            .map("; did you mean \"%s=...\"?"::formatted)
                            .orElse(", jsonpath=..., custom-columns=...");
            throw new UsageException(e.getMessage() + guess);
        }
    }

    private static String required(String name, String template) {
        if (template.isEmpty()) {
            throw new UsageException(
                    "-o %s needs a template, such as -o %s"
                            .formatted(
                                    name,
                                    name.startsWith("jsonpath")
                                            ? "jsonpath='{.metadata.name}'"
                                            : "custom-columns=NAME:.metadata.name"));
        }
        return template;
    }

    private static Template path(String template) {
        try {
            return new Template(PathTemplate.parse(template));
        } catch (PathException e) {
            throw new UsageException("jsonpath: " + e.getMessage());
        }
    }

    private static String file(String name) {
        try {
            return Files.readString(Path.of(name));
        } catch (IOException | InvalidPathException e) {
            throw new CommandException("cannot read \"" + name + "\": " + FileErrors.reason(e));
        }
    }

    /** Returns whether the server formats the output, as a table or as names. */
    default boolean isOfTable() {
        return this instanceof Standard(Format format)
                && switch (format) {
                    case TABLE, WIDE, NAME -> true;
                    case YAML, JSON -> false;
                };
    }
}
