package dev.orloj.cli.jsonpath;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.stream.Collectors;

/** A template such as {@code {range .items[*]}{.metadata.name}{"\n"}{end}}. */
public final class PathTemplate {

    private final List<Node> nodes;

    private PathTemplate(List<Node> nodes) {
        this.nodes = nodes;
    }

    /**
     * @throws PathException when the template is malformed
     */
    public static PathTemplate parse(String template) {
        return new PathTemplate(new TemplateParser(template).parse());
    }

    /**
     * Parses a single path in any of the forms {@code metadata.name}, {@code .metadata.name} and
     * {@code {.metadata.name}}.
     */
    public static PathTemplate relaxed(String path) {
        String inner =
                path.startsWith("{") && path.endsWith("}")
                        ? path.substring(1, path.length() - 1)
                        : path;
        String rooted = inner.startsWith(".") || inner.startsWith("[") ? inner : "." + inner;
        return parse("{" + rooted + "}");
    }

    /**
     * Renders the template over a document.
     *
     * @throws PathException when an index is outside of its array
     */
    public String render(JsonNode document) {
        StringBuilder text = new StringBuilder();
        render(nodes, document, text);
        return text.toString();
    }

    private static void render(List<Node> nodes, JsonNode document, StringBuilder into) {
        for (Node node : nodes) {
            switch (node) {
                case Node.Text(String text) -> into.append(text);
                case Node.Path(List<Step> steps) ->
                        into.append(
                                Evaluation.of(steps, document).stream()
                                        .map(Printed::of)
                                        .collect(Collectors.joining(" ")));
                case Node.Range(List<Step> steps, List<Node> body) ->
                        Evaluation.of(steps, document).forEach(value -> render(body, value, into));
            }
        }
    }

    /** Returns the values of all paths of the template. */
    public List<JsonNode> values(JsonNode document) {
        return nodes.stream()
                .filter(Node.Path.class::isInstance)
                .flatMap(node -> Evaluation.of(((Node.Path) node).steps(), document).stream())
                .toList();
    }

    /** Returns the values in the form of a column; {@code <none>} where there are none. */
    public String column(JsonNode document) {
        List<JsonNode> values = values(document);
        return values.isEmpty()
                ? "<none>"
                : values.stream().map(Printed::inColumn).collect(Collectors.joining(","));
    }
}
