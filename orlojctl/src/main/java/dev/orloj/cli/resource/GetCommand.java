package dev.orloj.cli.resource;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.Kind;
import dev.orloj.api.ResourceKey;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.Format;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.http.Answer;
import dev.orloj.cli.http.DocumentClient;
import dev.orloj.cli.http.Follower;
import dev.orloj.cli.http.Paths;
import dev.orloj.cli.http.Request;
import dev.orloj.cli.http.ResourceSelection;
import dev.orloj.cli.http.WatchedEvent;
import dev.orloj.cli.output.Documents;
import dev.orloj.cli.output.Masked;
import dev.orloj.cli.output.TablePrinter;
import dev.orloj.cli.output.TableReader;
import dev.orloj.cli.output.Text;
import dev.orloj.cli.output.TextTable;

import tools.jackson.core.JacksonException;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Shows resources, as a table from the server or as whole documents, once or continuously. */
public final class GetCommand extends Command {

    private static final String PAGE = "500";

    private final TextsOption arguments =
            arguments("0..*", "KIND [NAME...]", "Such as tools, mcp,tools, tool NAME, tool/NAME.");
    private final TextOption output =
            text("FORMAT", "table, wide, yaml, json or name. Default: table.", "-o", "--output");
    private final TextOption selector =
            text("LABELS", "Only those, such as app=web,tier in (a,b).", "-l", "--selector");
    private final TextOption fieldSelector =
            text("FIELDS", "Only those, such as spec.mcp_server_ref=github.", "--field-selector");
    private final Flag everywhere = flag("In every namespace.", "-A", "--all-namespaces");
    private final Flag watch = flag("Go on with every change.", "-w", "--watch");
    private final Flag noHeaders = flag("Leave the headings out.", "--no-headers");
    private final Flag showManagedFields =
            flag("Show in yaml and json who owns which fields.", "--show-managed-fields");
    private final Flag showValues =
            flag("Show the values of Secrets, which are *** otherwise.", "--show-values");

    public GetCommand() {
        super(
                "Show resources.",
                "orlojctl get mcpservers",
                "orlojctl get tools -l orloj.dev/mcp-server=github -o wide",
                "orlojctl get mcp github -o yaml",
                "orlojctl get mcp -w");
    }

    @Override
    public int run(Context context) {
        Format format = Format.parse(output.orElse("table"));
        Targets targets = Targets.parse(arguments.get());
        if (!targets.named().isEmpty()
                && (selector.get().isPresent() || fieldSelector.get().isPresent())) {
            throw new UsageException("a selector and a name exclude each other");
        }
        return watch.isSet() ? watch(context, targets, format) : show(context, targets, format);
    }

    private int show(Context context, Targets targets, Format format) {
        return switch (format) {
            case TABLE, WIDE, NAME -> showTables(context, targets, format);
            case YAML, JSON -> showDocuments(context, targets, format);
        };
    }

    private int showTables(Context context, Targets targets, Format format) {
        boolean isMixed = countKinds(targets) > 1;
        int exitCode = ExitCode.OK;
        boolean any = false;
        for (Kind<?> kind : targets.kinds()) {
            TextTable table = readTable(context, selection(context, kind).request());
            any |= print(context, table, kind, format, isMixed, any);
        }
        TextTable collected = null;
        Kind<?> collectedKind = null;
        for (Targets.Named target : targets.named()) {
            try {
                TextTable row = readTable(context, request(context, target));
                if (collected != null && target.kind().equals(collectedKind)) {
                    collected = collected.append(row);
                } else {
                    if (collected != null && collectedKind != null) {
                        any |= print(context, collected, collectedKind, format, isMixed, any);
                    }
                    collected = row;
                    collectedKind = target.kind();
                }
            } catch (ApiException e) {
                exitCode = missing(context, e);
            }
        }
        if (collected != null && collectedKind != null) {
            any |= print(context, collected, collectedKind, format, isMixed, any);
        }
        if (!any && exitCode == ExitCode.OK) {
            sayNothingFound(context);
        }
        return exitCode;
    }

    private static int countKinds(Targets targets) {
        return targets.kinds().size()
                + (int) targets.named().stream().map(Targets.Named::kind).distinct().count();
    }

    private static int missing(Context context, ApiException e) {
        if (e.reason() != ErrorReason.NOT_FOUND) {
            throw e;
        }
        context.out().flush();
        context.err().println("orlojctl: " + NameGuess.explain(context, e));
        return ExitCode.FAILED;
    }

    private static void sayNothingFound(Context context, String where) {
        context.err().println("No resources found" + where + ".");
    }

    private void sayNothingFound(Context context) {
        sayNothingFound(
                context, everywhere.isSet() ? "" : " in " + context.namespace() + " namespace");
    }

    private boolean print(
            Context context,
            TextTable table,
            Kind<?> kind,
            Format format,
            boolean isMixed,
            boolean any) {
        if (table.rows().isEmpty()) {
            return false;
        }
        if (format == Format.NAME) {
            for (TextTable.Row row : table.rows()) {
                context.out().print(Text.qualified(kind) + "/" + row.name() + "\n");
            }
            return true;
        }
        if (any) {
            context.out().print("\n");
        }
        printer(context, kind, format, isMixed).print(table);
        return true;
    }

    private TablePrinter printer(Context context, Kind<?> kind, Format format, boolean isMixed) {
        return new TablePrinter(
                context.out(),
                new TablePrinter.Layout(
                        format == Format.WIDE,
                        !noHeaders.isSet(),
                        everywhere.isSet() && kind.namespaced(),
                        isMixed ? Text.qualified(kind) + "/" : ""));
    }

    private ResourceSelection selection(Context context, Kind<?> kind) {
        String namespace = everywhere.isSet() || !kind.namespaced() ? "" : context.namespace();
        return new ResourceSelection(
                kind, namespace, selector.orElse(""), fieldSelector.orElse(""));
    }

    private Request request(Context context, Targets.Named target) {
        return Request.get(Paths.of(target.kind(), target.key(context.namespace())));
    }

    /** Reads all pages of the table that answers the request. */
    private static TextTable readTable(Context context, Request request) {
        TextTable table = readPage(context, request.with("limit", PAGE));
        while (!table.continueToken().isEmpty()) {
            Request next = request.with("limit", PAGE).with("continue", table.continueToken());
            table = table.append(readPage(context, next));
        }
        return table;
    }

    private static TextTable readPage(Context context, Request request) {
        try (Answer answer = context.connection().send(request.accepting(Request.TABLE))) {
            return TableReader.read(answer.body()).orElseThrow(() -> noTable(context));
        } catch (JacksonException e) {
            throw noTable(context);
        }
    }

    private static CommandException noTable(Context context) {
        return new CommandException(
                "the server at %s did not answer with a table; is it orlojd?"
                        .formatted(context.connection().server()));
    }

    private int showDocuments(Context context, Targets targets, Format format) {
        DocumentClient documents = context.documents();
        List<ObjectNode> found = new ArrayList<>();
        int exitCode = ExitCode.OK;
        for (Kind<?> kind : targets.kinds()) {
            documents.list(selection(context, kind)).items().stream()
                    .map(this::shown)
                    .forEach(found::add);
        }
        for (Targets.Named target : targets.named()) {
            ResourceKey key = target.key(context.namespace());
            try {
                found.add(shown(documents.get(target.kind(), key)));
            } catch (ApiException e) {
                exitCode = missing(context, e);
            }
        }
        if (exitCode == ExitCode.OK || !found.isEmpty()) {
            boolean asList = targets.named().size() != 1;
            context.out().print(format.write(Documents.oneOrList(found, asList)));
        }
        return exitCode;
    }

    private ObjectNode shown(ObjectNode document) {
        if (!showManagedFields.isSet()
                && document.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove("managedFields");
        }
        return showValues.isSet() ? document : Masked.of(document);
    }

    private JsonNode shown(WatchedEvent event) {
        return event.object() instanceof ObjectNode document ? shown(document) : event.object();
    }

    private int watch(Context context, Targets targets, Format format) {
        if (countKinds(targets) != 1 || targets.named().size() > 1) {
            throw new UsageException("--watch takes one kind, or one name");
        }
        ResourceSelection selection =
                targets.named().isEmpty()
                        ? selection(context, targets.kinds().getFirst())
                        : ResourceSelection.one(
                                targets.named().getFirst().kind(),
                                targets.named().getFirst().key(context.namespace()));
        TablePrinter printer = printer(context, selection.kind(), format, false);
        while (true) {
            TextTable table = readTable(context, selection.request());
            if (table.rows().isEmpty() && format != Format.YAML && format != Format.JSON) {
                sayNothingFound(context);
            }
            if (format == Format.TABLE || format == Format.WIDE) {
                printer.print(table);
            }
            try {
                if (follow(context, selection, table.version(), format, printer)) {
                    return ExitCode.OK;
                }
            } catch (ApiException e) {
                if (!Follower.isExpired(e)) {
                    throw e;
                }
            }
        }
    }

    /** Prints changes until the output is closed. */
    private boolean follow(
            Context context,
            ResourceSelection selection,
            String version,
            Format format,
            TablePrinter printer) {
        if (!context.console().flush()) {
            return true;
        }
        boolean asTable = format == Format.TABLE || format == Format.WIDE;
        Request request = selection.request();
        return context.follower()
                .follow(
                        asTable ? request.accepting(Request.TABLE) : request,
                        version,
                        Optional.empty(),
                        event -> {
                            printChange(context, selection, event, format, printer);
                            return !context.console().flush();
                        });
    }

    private void printChange(
            Context context,
            ResourceSelection selection,
            WatchedEvent event,
            Format format,
            TablePrinter printer) {
        switch (format) {
            case TABLE, WIDE ->
                    TableReader.read(event.object().traverse(ObjectReadContext.empty()))
                            .ifPresent(printer::print);
            case NAME ->
                    context.out()
                            .print(
                                    Text.qualified(selection.kind())
                                            + "/"
                                            + event.object().at("/metadata/name").asString("")
                                            + "\n");
            case YAML -> context.out().print("---\n" + format.write(shown(event)));
            case JSON -> context.out().print(format.write(shown(event)));
        }
    }
}
