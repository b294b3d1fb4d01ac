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
import dev.orloj.cli.http.DocumentClient;
import dev.orloj.cli.http.Paths;
import dev.orloj.cli.http.Request;
import dev.orloj.cli.http.ResourceSelection;
import dev.orloj.cli.jsonpath.PathException;
import dev.orloj.cli.manifest.ManifestInput;
import dev.orloj.cli.manifest.ManifestSources;
import dev.orloj.cli.output.Documents;
import dev.orloj.cli.output.Text;
import dev.orloj.cli.output.TextTable;
import dev.orloj.cli.rendering.Rendering;
import dev.orloj.cli.rendering.SortKey;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Shows resources, as a table from the server or as whole documents, once or continuously. */
public final class GetCommand extends Command {

    private final TextsOption arguments =
            arguments("0..*", "KIND [NAME...]", "Such as tools, mcp,tools, tool NAME, tool/NAME.");
    private final TextOption output =
            text(
                    "FORMAT",
                    "table, wide, yaml, json, name, jsonpath=TEMPLATE, jsonpath-file=FILE,"
                            + " custom-columns=HEADING:PATH,... or custom-columns-file=FILE."
                            + " Default: table.",
                    "-o",
                    "--output");
    private final TextOption selector =
            text(
                    "LABELS",
                    "Only resources with these labels, such as app=web,tier in" + " (a,b).",
                    "-l",
                    "--selector");
    private final TextOption fieldSelector =
            text(
                    "FIELDS",
                    "Only resources with these fields, such as" + " spec.mcp_server_ref=github.",
                    "--field-selector");
    private final ManifestSources sources =
            new ManifestSources(this::texts, this::flag, "What the manifests of a file name.");
    private final Flag everywhere = flag("In every namespace.", "-A", "--all-namespaces");
    private final Flag watch = flag("Continue with every change.", "-w", "--watch");
    private final TextOption sortBy =
            text("PATH", "Sort by a field, such as .metadata.name.", "--sort-by");
    private final Flag showLabels = flag("Add a column with the labels.", "--show-labels");
    private final TextsOption labelColumns =
            texts("KEYS", "Add a column for each of these labels.", "-L", "--label-columns");
    private final Flag showKind = flag("Print the kind before each name.", "--show-kind");
    private final Flag ignoreNotFound =
            flag("Ignore resources that do not exist.", "--ignore-not-found");
    private final Flag noHeaders = flag("Print no headings.", "--no-headers");
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
                "orlojctl get mcp -o jsonpath='{.items[*].metadata.name}'",
                "orlojctl get tools -A -o custom-columns=NAME:.metadata.name,RISK:.spec.risk_level",
                "orlojctl get mcp -w");
    }

    @Override
    public int run(Context context) {
        GetOptions options = options();
        Targets targets = targets(context);
        if (!targets.named().isEmpty()
                && (selector.get().isPresent() || fieldSelector.get().isPresent())) {
            throw new UsageException("a selector and a name exclude each other");
        }
        if (watch.isSet()) {
            return watch(context, targets, options);
        }
        return options.rendering().isOfTable()
                ? showTables(context, targets, options)
                : showDocuments(context, targets, options);
    }

    private GetOptions options() {
        return new GetOptions(
                Rendering.parse(output.orElse("table")),
                selector.orElse(""),
                fieldSelector.orElse(""),
                everywhere.isSet(),
                !noHeaders.isSet(),
                showKind.isSet(),
                showLabels.isSet(),
                labelColumns.get().stream()
                        .flatMap(keys -> List.of(keys.split(",")).stream())
                        .toList(),
                showManagedFields.isSet(),
                showValues.isSet());
    }

    private Targets targets(Context context) {
        if (!sources.isGiven()) {
            if (arguments.get().isEmpty()) {
                throw needs(Targets.EXAMPLES);
            }
            return Targets.parse(arguments.get());
        }
        if (!arguments.get().isEmpty()) {
            throw new UsageException("-f and names exclude each other");
        }
        ManifestInput input = sources.read(context);
        if (input.exitCode() != ExitCode.OK) {
            throw new CommandException("nothing is shown, since not all manifests can be read");
        }
        return Targets.of(input.submissions());
    }

    private int showTables(Context context, Targets targets, GetOptions options) {
        boolean isMixed = countKinds(targets) > 1;
        int exitCode = ExitCode.OK;
        boolean any = false;
        for (Kind<?> kind : targets.kinds()) {
            TextTable table =
                    ResourceTables.read(
                            context,
                            options.selection(context, kind)
                                    .request()
                                    .with("includeObject", needsObjects(options) ? "" : "None"));
            any |=
                    print(
                            context,
                            sorted(context, table, kind, options),
                            kind,
                            options,
                            isMixed,
                            any);
        }
        TextTable collected = null;
        Kind<?> collectedKind = null;
        for (Targets.Named target : targets.named()) {
            try {
                TextTable row = ResourceTables.read(context, request(context, target));
                if (collected != null && target.kind().equals(collectedKind)) {
                    collected = collected.append(row);
                } else {
                    if (collected != null && collectedKind != null) {
                        any |= print(context, collected, collectedKind, options, isMixed, any);
                    }
                    collected = row;
                    collectedKind = target.kind();
                }
            } catch (ApiException e) {
                exitCode = Math.max(exitCode, missing(context, e));
            }
        }
        if (collected != null && collectedKind != null) {
            any |= print(context, collected, collectedKind, options, isMixed, any);
        }
        if (!any && exitCode == ExitCode.OK && !ignoreNotFound.isSet()) {
            sayNothingFound(context, targets);
        }
        return exitCode;
    }

    /** Returns whether the cells are not enough. The objects are most of a table. */
    private boolean needsObjects(GetOptions options) {
        return sortBy.get().isPresent()
                || options.everywhere()
                || options.is(Format.NAME)
                || options.showLabels()
                || !options.labelColumns().isEmpty();
    }

    /** Sorts the rows of the server by the documents that they show. */
    private TextTable sorted(Context context, TextTable table, Kind<?> kind, GetOptions options) {
        if (sortBy.get().isEmpty()) {
            return table;
        }
        Map<String, Integer> ranks = new HashMap<>();
        SortKey order = SortKey.parse(sortBy.orElse(""));
        context.documents().list(options.selection(context, kind)).items().stream()
                .sorted(order)
                .forEach(
                        item ->
                                ranks.put(
                                        item.at("/metadata/namespace").asString("")
                                                + "/"
                                                + item.at("/metadata/name").asString(""),
                                        ranks.size()));
        return table.sorted(
                Comparator.comparing(
                        row ->
                                ranks.getOrDefault(
                                        row.namespace() + "/" + row.name(), ranks.size())));
    }

    private static int countKinds(Targets targets) {
        return targets.kinds().size()
                + (int) targets.named().stream().map(Targets.Named::kind).distinct().count();
    }

    private int missing(Context context, ApiException e) {
        if (e.reason() != ErrorReason.NOT_FOUND) {
            throw e;
        }
        if (ignoreNotFound.isSet()) {
            return ExitCode.OK;
        }
        context.out().flush();
        context.err().println("orlojctl: " + NameGuess.explain(context, e));
        return ExitCode.FAILED;
    }

    private void sayNothingFound(Context context, Targets targets) {
        boolean inNamespace =
                !everywhere.isSet() && targets.kinds().stream().allMatch(Kind::namespaced);
        String where = inNamespace ? " in %s namespace.".formatted(context.namespace()) : "";
        NothingFound.say(context, "No resources found" + where, inNamespace);
    }

    private static boolean print(
            Context context,
            TextTable table,
            Kind<?> kind,
            GetOptions options,
            boolean isMixed,
            boolean any) {
        if (table.rows().isEmpty()) {
            return false;
        }
        if (options.is(Format.NAME)) {
            for (TextTable.Row row : table.rows()) {
                context.out().print(Text.qualified(kind) + "/" + row.name() + "\n");
            }
            return true;
        }
        if (any) {
            context.out().print("\n");
        }
        options.printer(context, kind, isMixed).print(options.withLabels(table));
        return true;
    }

    private static Request request(Context context, Targets.Named target) {
        return Request.get(Paths.of(target.kind(), target.key(context.namespace())));
    }

    private int showDocuments(Context context, Targets targets, GetOptions options) {
        DocumentClient documents = context.documents();
        List<ObjectNode> found = new ArrayList<>();
        int exitCode = ExitCode.OK;
        for (Kind<?> kind : targets.kinds()) {
            documents.list(options.selection(context, kind)).items().stream()
                    .map(options::shown)
                    .forEach(found::add);
        }
        for (Targets.Named target : targets.named()) {
            ResourceKey key = target.key(context.namespace());
            try {
                found.add(options.shown(documents.get(target.kind(), key)));
            } catch (ApiException e) {
                exitCode = Math.max(exitCode, missing(context, e));
            }
        }
        sortBy.get().map(SortKey::parse).ifPresent(found::sort);
        boolean asList = targets.named().size() != 1;
        if (!found.isEmpty() || (exitCode == ExitCode.OK && asList)) {
            try {
                options.print(
                        context,
                        Documents.oneOrList(found, asList),
                        GetOptions.columnPrinter(context),
                        true);
            } catch (PathException e) {
                throw new CommandException("jsonpath: " + e.getMessage());
            }
        }
        return exitCode;
    }

    private int watch(Context context, Targets targets, GetOptions options) {
        if (countKinds(targets) != 1 || targets.named().size() > 1) {
            throw new UsageException("--watch takes one kind, or one name");
        }
        if (sortBy.get().isPresent()) {
            throw new UsageException("--sort-by has no effect on changes: leave out --watch");
        }
        ResourceSelection selection =
                targets.named().isEmpty()
                        ? options.selection(context, targets.kinds().getFirst())
                        : ResourceSelection.one(
                                targets.named().getFirst().kind(),
                                targets.named().getFirst().key(context.namespace()));
        new GetWatch(context, options, selection).run(() -> sayNothingFound(context, targets));
        return ExitCode.OK;
    }
}
