package dev.orloj.cli.resource;

import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.http.Request;
import dev.orloj.cli.output.TableReader;
import dev.orloj.cli.output.TextTable;

/** Reads the tables of the server. */
final class ResourceTables {

    private static final String PAGE = "500";

    private ResourceTables() {}

    /** Reads all pages of the table that answers the request. */
    static TextTable read(Context context, Request request) {
        TextTable table = readPage(context, request.with("limit", PAGE));
        while (!table.continueToken().isEmpty()) {
            Request next = request.with("limit", PAGE).with("continue", table.continueToken());
            table = table.append(readPage(context, next));
        }
        return table;
    }

    private static TextTable readPage(Context context, Request request) {
        return TableReader.read(context.connection().read(request.accepting(Request.TABLE)))
                .orElseThrow(() -> noTable(context));
    }

    private static CommandException noTable(Context context) {
        return new CommandException(
                "the server at %s did not answer with a table; is it orlojd?"
                        .formatted(context.connection().server()));
    }
}
