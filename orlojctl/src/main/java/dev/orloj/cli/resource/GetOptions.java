package dev.orloj.cli.resource;

import dev.orloj.api.Kind;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.Format;
import dev.orloj.cli.http.ResourceSelection;
import dev.orloj.cli.output.Masked;
import dev.orloj.cli.output.TablePrinter;
import dev.orloj.cli.output.Text;
import dev.orloj.cli.output.TextTable;
import dev.orloj.cli.rendering.CustomColumns;
import dev.orloj.cli.rendering.Rendering;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;

/**
 * How {@code get} selects and shows resources.
 *
 * @param labelColumns keys of labels that have a column
 */
record GetOptions(
        Rendering rendering,
        String labels,
        String fields,
        boolean everywhere,
        boolean headings,
        boolean showKind,
        boolean showLabels,
        List<String> labelColumns,
        boolean showManagedFields,
        boolean showValues) {

    ResourceSelection selection(Context context, Kind<?> kind) {
        String namespace = everywhere || !kind.namespaced() ? "" : context.namespace();
        return new ResourceSelection(kind, namespace, labels, fields);
    }

    boolean is(Format format) {
        return rendering instanceof Rendering.Standard(Format own) && own == format;
    }

    TextTable withLabels(TextTable table) {
        return labelColumns.isEmpty() && !showLabels
                ? table
                : table.withLabels(labelColumns, showLabels);
    }

    TablePrinter printer(Context context, Kind<?> kind, boolean isMixed) {
        TablePrinter.Layout layout =
                new TablePrinter.Layout(
                        is(Format.WIDE),
                        headings,
                        everywhere && kind.namespaced(),
                        isMixed || showKind ? Text.qualified(kind) + "/" : "",
                        // Events are there for their messages, which are sentences.
                        isOfEvents(kind) ? 0 : context.console().width());
        return new TablePrinter(context.out(), layout);
    }

    private static boolean isOfEvents(Kind<?> kind) {
        return kind.name().equals("Event");
    }

    /** Returns the document without what the options hide. */
    ObjectNode shown(ObjectNode document) {
        if (!showManagedFields && document.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove("managedFields");
        }
        return showValues ? document : Masked.of(document);
    }

    /**
     * Prints a document, or a List of several.
     *
     * @param columns prints the lines of custom columns
     */
    void print(Context context, JsonNode document, TablePrinter columns, boolean isFirst) {
        switch (rendering) {
            case Rendering.Standard(Format format) -> context.out().print(format.write(document));
            case Rendering.Template(var template) -> context.out().print(template.render(document));
            case Rendering.Columns(CustomColumns custom) ->
                    columns.print(lines(custom, document, isFirst && headings));
        }
    }

    private static List<List<String>> lines(
            CustomColumns custom, JsonNode document, boolean headed) {
        List<List<String>> lines = new ArrayList<>();
        if (headed) {
            lines.add(custom.headings());
        }
        List<JsonNode> items =
                document.path("kind").asString("").equals("List")
                        ? document.path("items").valueStream().toList()
                        : List.of(document);
        items.forEach(item -> lines.add(custom.line(item)));
        return lines;
    }

    /** Returns the printer for lines of custom columns. */
    static TablePrinter columnPrinter(Context context) {
        return new TablePrinter(context.out(), TablePrinter.Layout.WHOLE);
    }
}
