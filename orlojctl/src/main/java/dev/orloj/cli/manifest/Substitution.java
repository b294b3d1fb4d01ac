package dev.orloj.cli.manifest;

import dev.orloj.api.codec.Document;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.Manifest;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.variable.AllowedVariables;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replaces {@code ${NAME}} in the texts of manifests by the variables that the user has named. It
 * works on parsed documents, so that a value cannot add a field. What is not named stays as it is:
 * it may be for a shell.
 */
final class Substitution {

    private static final Pattern REFERENCE =
            Pattern.compile("\\$(\\$?)\\{([A-Za-z_][A-Za-z0-9_]*)\\}");

    private final AllowedVariables variables;

    Substitution(AllowedVariables variables) {
        this.variables = variables;
    }

    /**
     * @throws CommandException when a variable that is named has no value
     */
    Manifest in(Manifest manifest) {
        Document document = manifest.document();
        ObjectNode root = object(manifest, "", document.root());
        return new Manifest(
                manifest.source(),
                manifest.index(),
                new Document(root, document.duplicates(), document.lines()));
    }

    private JsonNode node(Manifest manifest, String path, JsonNode node) {
        return switch (node) {
            case ObjectNode object -> object(manifest, path, object);
            case ArrayNode array -> {
                ArrayNode filled = Json.MAPPER.createArrayNode();
                for (int i = 0; i < array.size(); i++) {
                    filled.add(node(manifest, path + "[" + i + "]", array.path(i)));
                }
                yield filled;
            }
            default ->
                    node.isString()
                            ? Json.MAPPER
                                    .getNodeFactory()
                                    .stringNode(text(manifest, path, node.asString()))
                            : node;
        };
    }

    private ObjectNode object(Manifest manifest, String path, ObjectNode object) {
        ObjectNode filled = Json.MAPPER.createObjectNode();
        object.properties()
                .forEach(
                        field -> {
                            String below =
                                    path.isEmpty() ? field.getKey() : path + "." + field.getKey();
                            filled.set(field.getKey(), node(manifest, below, field.getValue()));
                        });
        return filled;
    }

    private String text(Manifest manifest, String path, String text) {
        Matcher matcher = REFERENCE.matcher(text);
        StringBuilder out = new StringBuilder();
        while (matcher.find()) {
            String name = matcher.group(2);
            String value = matcher.group();
            if (variables.isNamed(name)) {
                value =
                        matcher.group(1).isEmpty()
                                ? value(manifest, path, name)
                                : matcher.group().substring(1);
            }
            matcher.appendReplacement(out, Matcher.quoteReplacement(value));
        }
        return matcher.appendTail(out).toString();
    }

    private String value(Manifest manifest, String path, String name) {
        return variables
                .find(name)
                .orElseThrow(
                        () ->
                                new CommandException(
                                        "%s: %s: the variable %s is not set; set it, or leave it out of %s and %s"
                                                .formatted(
                                                        manifest.locate(path),
                                                        path,
                                                        name,
                                                        AllowedVariables.OPTION,
                                                        AllowedVariables.SETTING)));
    }
}
