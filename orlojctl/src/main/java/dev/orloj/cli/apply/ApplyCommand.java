package dev.orloj.cli.apply;

import dev.orloj.api.LabelSelector;
import dev.orloj.api.codec.DocumentCheck;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.Format;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.manifest.ManifestInput;
import dev.orloj.cli.manifest.ManifestSources;
import dev.orloj.cli.manifest.Submission;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Makes the server's resources match the manifests in files. */
public final class ApplyCommand extends Command {

    /** The limit that the server enforces. */
    private static final int MAX_MANAGER = 128;

    private final ManifestSources sources =
            new ManifestSources(this::texts, this::flag, "What to apply.");
    private final TextOption dryRun =
            text("WHERE", "Change nothing, only check: server or client.", "--dry-run");
    private final TextOption validate =
            text("HOW", "Unknown fields: strict, warn or ignore. Default: strict.", "--validate");
    private final TextOption output = text("FORMAT", "name, json or yaml.", "-o", "--output");
    private final TextOption fieldManager =
            text(
                    "NAME",
                    "Field manager that owns the applied fields. Default: orlojctl.",
                    "--field-manager");
    private final Flag forceConflicts =
            flag("Take over fields that other managers own.", "--force-conflicts");

    private final TextOption selector =
            text("LABELS", "Only the manifests with these labels.", "-l", "--selector");
    private final Flag prune =
            flag(
                    "Then delete resources that were applied before and are in no" + " manifest.",
                    "--prune");
    private final Flag all = flag("Prune without a selector.", "--all");
    private final TextOption applySet =
            text(
                    "PARENT",
                    "Prune the members of this ApplySet: a Secret, or" + " configmaps/NAME.",
                    "--applyset");
    private final TextsOption allowlist =
            texts(
                    "GROUP/VERSION/KIND",
                    "Prune these kinds. Default: those of orloj.dev, and ConfigMaps.",
                    "--prune-allowlist");

    {
        flag("Accepted as in kubectl; every apply is server-side.", "--server-side");
    }

    public ApplyCommand() {
        super(
                "Create resources, or change them to match files.",
                "orlojctl apply -f server.yaml",
                "orlojctl apply -f servers/ -f secret.json",
                "cat server.yaml | orlojctl apply -f - --dry-run=server",
                "orlojctl apply -f servers/ --prune --applyset=servers");
    }

    @Override
    public int run(Context context) {
        if (!sources.isGiven()) {
            throw needs("-f FILE");
        }
        DryRun how = DryRun.parse(dryRun.get());
        Validation validation = Validation.parse(validate.orElse("strict"));
        Optional<Format> format =
                output.get()
                        .map(
                                text ->
                                        Format.parse(
                                                text,
                                                List.of(Format.NAME, Format.JSON, Format.YAML)));
        Plan plan =
                new Plan(
                        new ApplyOptions(how == DryRun.SERVER, manager(), forceConflicts.isSet()),
                        pruning(context, how),
                        validation,
                        format);
        ManifestInput input = sources.read(context);
        Parts parts = parts(input.submissions());
        ManifestInput selected = new ManifestInput(parts.selected(), input.unreadable());
        return how == DryRun.CLIENT
                ? checkOnly(context, selected, validation)
                : apply(context, selected, parts.left(), plan);
    }

    /**
     * The parsed options.
     *
     * @param format of the printed resources; empty for one line each
     */
    private record Plan(
            ApplyOptions options,
            Pruning pruning,
            Validation validation,
            Optional<Format> format) {}

    private Pruning pruning(Context context, DryRun how) {
        try {
            Pruning pruning =
                    new Pruning.Options(
                                    prune.isSet(),
                                    selector.get(),
                                    all.isSet(),
                                    applySet.get(),
                                    allowlist.get())
                            .in(context.namespace());
            if (how == DryRun.CLIENT && prune.isSet()) {
                throw new UsageException(
                        "only the server knows what would be pruned: use --dry-run=server");
            }
            return pruning;
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    /** The manifests to apply, and those that the selector excludes. */
    private record Parts(List<Submission> selected, List<Submission> left) {}

    private Parts parts(List<Submission> submissions) {
        LabelSelector labels = LabelSelector.parse(selector.orElse(""));
        Parts parts = new Parts(new ArrayList<>(), new ArrayList<>());
        for (Submission submission : submissions) {
            boolean isSelected = labels.matches(labels(submission));
            (isSelected ? parts.selected() : parts.left()).add(submission);
        }
        if (parts.selected().isEmpty() && !submissions.isEmpty()) {
            throw new CommandException(
                    "no manifest has the labels \"%s\"; nothing was done"
                            .formatted(selector.orElse("")));
        }
        return parts;
    }

    private static Map<String, String> labels(Submission submission) {
        return submission
                .document()
                .at("/metadata/labels")
                .propertyStream()
                .collect(Collectors.toMap(Map.Entry::getKey, e -> e.getValue().asString("")));
    }

    private String manager() {
        String name = fieldManager.orElse(ApplyOptions.FIELD_MANAGER);
        if (name.codePointCount(0, name.length()) > MAX_MANAGER
                || name.codePoints().anyMatch(Character::isISOControl)) {
            throw new UsageException(
                    "--field-manager: expected at most %d printable characters"
                            .formatted(MAX_MANAGER));
        }
        return name;
    }

    private static int checkOnly(Context context, ManifestInput input, Validation validation) {
        int broken = input.unreadable();
        for (Submission submission : input.submissions()) {
            List<String> errors = submission.check(validation == Validation.STRICT);
            errors.forEach(error -> context.err().println("orlojctl: " + error));
            if (errors.isEmpty()) {
                context.out().print(submission.display() + " valid (client dry run)\n");
            } else {
                broken++;
            }
        }
        return broken == 0 ? ExitCode.OK : ExitCode.FAILED;
    }

    /**
     * @param left manifests that are not applied, and whose resources are not pruned
     */
    private static int apply(
            Context context, ManifestInput input, List<Submission> left, Plan plan) {
        ApplyOptions options = plan.options();
        ApplyReport report = new ApplyReport(context.console(), options.dryRun(), plan.format());
        List<Submission> submissions = input.submissions();
        ApplyRun run =
                new ApplyRun(
                        context.connection(),
                        options,
                        plan.pruning(),
                        submissions.stream()
                                .map(s -> intent(context, s, plan.validation()))
                                .toList());
        run.apply((i, result) -> report.add(submissions.get(i), result));
        int exitCode = report.end(submissions.size(), input.unreadable());
        if (exitCode == ExitCode.OK) {
            run.prune(
                    left.stream().map(s -> new Intent(s.kind(), s.key(), s.document())).toList(),
                    report::add);
        } else if (!(plan.pruning() instanceof Pruning.None)) {
            context.err().println("orlojctl: nothing was pruned, since not all could be applied");
        }
        return exitCode;
    }

    /**
     * Removes unknown fields unless the validation is strict, because the server rejects them in an
     * apply.
     */
    private static Intent intent(Context context, Submission submission, Validation validation) {
        ObjectNode document = submission.document();
        if (validation != Validation.STRICT) {
            if (validation == Validation.WARN) {
                DocumentCheck.of(submission.descriptor(), document)
                        .unknownFields()
                        .forEach(
                                field ->
                                        context.err()
                                                .println("Warning: " + submission.unknown(field)));
            }
            document = document.deepCopy();
            submission.descriptor().normalizer().accept(document);
            submission.descriptor().schema().prune(document);
        }
        return new Intent(submission.kind(), submission.key(), document);
    }

    private enum DryRun {
        NONE,
        CLIENT,
        SERVER;

        static DryRun parse(Optional<String> text) {
            return switch (text.orElse("none")) {
                case "none" -> NONE;
                case "client" -> CLIENT;
                case "server" -> SERVER;
                default ->
                        throw new UsageException(
                                "--dry-run \"%s\": expected server, client or none"
                                        .formatted(text.orElse("")));
            };
        }
    }

    private enum Validation {
        STRICT,
        WARN,
        IGNORE;

        static Validation parse(String text) {
            return switch (text) {
                case "strict", "true" -> STRICT;
                case "warn" -> WARN;
                case "ignore", "false" -> IGNORE;
                default ->
                        throw new UsageException(
                                "--validate \"%s\": expected strict, warn or ignore"
                                        .formatted(text));
            };
        }
    }
}
