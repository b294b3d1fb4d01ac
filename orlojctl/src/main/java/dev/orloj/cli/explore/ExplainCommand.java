package dev.orloj.cli.explore;

import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.Suggestions;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.resource.Targets;

import tools.jackson.databind.JsonNode;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Shows the fields of a kind, from the schema that this version of orlojctl has. */
public final class ExplainCommand extends Command {

    private static final int WIDTH = 80;

    private final TextsOption arguments =
            arguments("1", "KIND[.FIELD...]", "Such as mcp, or mcp.spec.env.");
    private final Flag recursive = flag("Show only the names of all fields below.", "--recursive");

    public ExplainCommand() {
        super(
                "Show the fields of a kind.",
                "orlojctl explain mcpserver",
                "orlojctl explain mcp.spec.tool_filter",
                "orlojctl explain sandbox --recursive");
    }

    @Override
    public int run(Context context) {
        List<String> steps = List.of(arguments.get().getFirst().split("\\.", -1));
        KindDescriptor<?> kind = Targets.kindOf(steps.getFirst());
        JsonNode field = kind.schema().root();
        JsonNode owner = field;
        String path = kind.kind().singular();
        for (String step : steps.subList(1, steps.size())) {
            owner = field;
            JsonNode parent = objectOf(field);
            if (!parent.path("properties").has(step)) {
                throw unknown(step, path, parent.path("properties").propertyNames());
            }
            field = parent.path("properties").path(step);
            path += "." + step;
        }
        print(context.out(), kind, field, owner, steps);
        return ExitCode.OK;
    }

    private void print(
            PrintStream out,
            KindDescriptor<?> kind,
            JsonNode field,
            JsonNode owner,
            List<String> steps) {
        if (!kind.kind().group().isEmpty()) {
            out.print("GROUP:      " + kind.kind().group() + "\n");
        }
        out.print("KIND:       " + kind.kind().name() + "\n");
        out.print("VERSION:    " + kind.kind().version() + "\n\n");
        if (steps.size() > 1) {
            String name = steps.getLast();
            out.print(
                    "FIELD: %s <%s>%s\n\n"
                            .formatted(name, type(field), required(objectOf(owner), name)));
        }
        out.print("DESCRIPTION:\n");
        wrap(out, description(field), "    ");
        JsonNode values = field.path("enum");
        if (values.isArray()) {
            wrap(out, "One of: " + String.join(", ", texts(values)) + ".", "    ");
        }
        JsonNode object = objectOf(field);
        if (!object.path("properties").isEmpty()) {
            out.print("\nFIELDS:\n");
            if (recursive.isSet()) {
                names(out, object, "  ");
            } else {
                fields(out, object);
            }
        }
    }

    private static void fields(PrintStream out, JsonNode object) {
        sorted(object)
                .forEach(
                        (name, field) -> {
                            out.print(
                                    "  %s\t<%s>%s\n"
                                            .formatted(name, type(field), required(object, name)));
                            wrap(out, description(field), "    ");
                            out.print("\n");
                        });
    }

    private static void names(PrintStream out, JsonNode object, String indent) {
        sorted(object)
                .forEach(
                        (name, field) -> {
                            out.print(
                                    "%s%s\t<%s>%s\n"
                                            .formatted(
                                                    indent,
                                                    name,
                                                    type(field),
                                                    required(object, name)));
                            names(out, objectOf(field), indent + "  ");
                        });
    }

    private static Map<String, JsonNode> sorted(JsonNode object) {
        Map<String, JsonNode> fields = new TreeMap<>();
        object.path("properties")
                .propertyStream()
                .forEach(field -> fields.put(field.getKey(), field.getValue()));
        return fields;
    }

    /** Returns the schema that has the fields: of the items of a list, of the values of a map. */
    private static JsonNode objectOf(JsonNode field) {
        JsonNode object = field;
        while (object.path("properties").isEmpty()) {
            if (object.path("items").isObject()) {
                object = object.path("items");
            } else if (object.path("additionalProperties").isObject()) {
                object = object.path("additionalProperties");
            } else {
                return object;
            }
        }
        return object;
    }

    private static String type(JsonNode field) {
        if (field.path("additionalProperties").isObject()) {
            return "map[string]" + type(field.path("additionalProperties"));
        }
        return switch (field.path("type").asString("")) {
            case "array" -> "[]" + type(field.path("items"));
            case "object", "" -> "Object";
            default -> field.path("type").asString("");
        };
    }

    private static String required(JsonNode owner, String name) {
        return texts(owner.path("required")).contains(name) ? " -required-" : "";
    }

    private static List<String> texts(JsonNode values) {
        return values.valueStream().map(value -> value.asString("")).toList();
    }

    private static String description(JsonNode field) {
        String text = field.path("description").asString("");
        return text.isEmpty() ? "<no description>" : text;
    }

    private static void wrap(PrintStream out, String text, String indent) {
        StringBuilder line = new StringBuilder(indent);
        for (String word : text.strip().split("\\s+")) {
            if (line.length() + word.length() > WIDTH && line.length() > indent.length()) {
                out.print(line.toString().stripTrailing() + "\n");
                line = new StringBuilder(indent);
            }
            line.append(word).append(' ');
        }
        out.print(line.toString().stripTrailing() + "\n");
    }

    private static UsageException unknown(String step, String path, Collection<String> known) {
        String hint =
                Suggestions.closest(step, known)
                        .map("; did you mean \"%s\"?"::formatted)
                        .orElseGet(() -> known(known));
        return new UsageException("%s has no field \"%s\"%s".formatted(path, step, hint));
    }

    private static String known(Collection<String> known) {
        List<String> names = new ArrayList<>(known);
        names.sort(null);
        return names.isEmpty() ? ", and no others" : "; it has " + String.join(", ", names);
    }
}
