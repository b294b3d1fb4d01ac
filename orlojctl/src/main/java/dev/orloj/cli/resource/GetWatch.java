package dev.orloj.cli.resource;

import dev.orloj.api.ApiException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.Format;
import dev.orloj.cli.http.Follower;
import dev.orloj.cli.http.Request;
import dev.orloj.cli.http.ResourceSelection;
import dev.orloj.cli.http.WatchedEvent;
import dev.orloj.cli.output.TablePrinter;
import dev.orloj.cli.output.TableReader;
import dev.orloj.cli.output.Text;
import dev.orloj.cli.output.TextTable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;

/** Shows resources and then every change, until the output is closed. */
final class GetWatch {

    private final Context context;
    private final GetOptions options;
    private final ResourceSelection selection;
    private final TablePrinter table;
    private final TablePrinter columns;
    private boolean isFirst = true;

    GetWatch(Context context, GetOptions options, ResourceSelection selection) {
        this.context = context;
        this.options = options;
        this.selection = selection;
        this.table = options.printer(context, selection.kind(), false);
        this.columns = GetOptions.columnPrinter(context);
    }

    private boolean asTable() {
        return options.is(Format.TABLE) || options.is(Format.WIDE);
    }

    /**
     * Follows until the output is closed.
     *
     * @param nothingFound runs when there is nothing yet
     */
    void run(Runnable nothingFound) {
        while (true) {
            TextTable now = ResourceTables.read(context, selection.request());
            if (now.rows().isEmpty() && options.rendering().isOfTable()) {
                nothingFound.run();
            }
            if (asTable()) {
                table.print(options.withLabels(now));
            }
            try {
                if (follow(now.version())) {
                    return;
                }
            } catch (ApiException e) {
                if (!Follower.isExpired(e)) {
                    throw e;
                }
            }
        }
    }

    private boolean follow(String version) {
        if (!context.console().flush()) {
            return true;
        }
        Request request = selection.request();
        return context.follower()
                .follow(
                        asTable() ? request.accepting(Request.TABLE) : request,
                        version,
                        Optional.empty(),
                        event -> {
                            print(event);
                            return !context.console().flush();
                        });
    }

    private void print(WatchedEvent event) {
        if (asTable()) {
            TableReader.read(event.object().toString())
                    .map(options::withLabels)
                    .ifPresent(table::print);
        } else if (options.is(Format.NAME)) {
            context.out()
                    .print(
                            Text.qualified(selection.kind())
                                    + "/"
                                    + event.object().at("/metadata/name").asString("")
                                    + "\n");
        } else {
            context.out().print(options.is(Format.YAML) ? "---\n" : "");
            options.print(context, shown(event), columns, isFirst);
            isFirst = false;
        }
    }

    private JsonNode shown(WatchedEvent event) {
        return event.object() instanceof ObjectNode document
                ? options.shown(document)
                : event.object();
    }
}
