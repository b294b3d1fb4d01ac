package dev.orloj.cli.apply;

import dev.orloj.api.codec.DocumentCheck;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.Format;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.manifest.ManifestInput;
import dev.orloj.cli.manifest.Submission;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes the server's resources be as files say. */
public final class ApplyCommand extends Command {

    /** As the server has it. */
    private static final int MAX_MANAGER = 128;

    private final TextsOption files =
            texts("FILE", "A file, a folder, or - for standard input.", "-f", "--filename");
    private final TextOption dryRun =
            text("WHERE", "Change nothing, only check: server or client.", "--dry-run");
    private final TextOption validate =
            text("HOW", "Unknown fields: strict, warn or ignore. Default: strict.", "--validate");
    private final TextOption output = text("FORMAT", "name, json or yaml.", "-o", "--output");
    private final TextOption fieldManager =
            text("NAME", "Who owns the applied fields. Default: orlojctl.", "--field-manager");
    private final Flag forceConflicts =
            flag("Take over fields that other managers own.", "--force-conflicts");

    {
        flag("Accepted as kubectl has it: every apply is server-side.", "--server-side");
    }

    public ApplyCommand() {
        super(
                "Create resources, or change them to what files say.",
                "orlojctl apply -f server.yaml",
                "orlojctl apply -f servers/ -f secret.json",
                "cat server.yaml | orlojctl apply -f - --dry-run=server");
    }

    @Override
    public int run(Context context) {
        if (files.get().isEmpty()) {
            throw new UsageException("what to apply? Name it with -f FILE");
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
        ManifestInput input = ManifestInput.read(context, files.get());
        if (how == DryRun.CLIENT) {
            return checkOnly(context, input, validation);
        }
        ApplyOptions options =
                new ApplyOptions(how == DryRun.SERVER, manager(), forceConflicts.isSet());
        return apply(context, input, options, validation, format);
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

    private static int apply(
            Context context,
            ManifestInput input,
            ApplyOptions options,
            Validation validation,
            Optional<Format> format) {
        ServerSideApply apply = new ServerSideApply(context.connection(), options);
        ApplyReport report = new ApplyReport(context.console(), options.dryRun(), format);
        List<Submission> submissions = input.submissions();
        List<Intent> intents = new ArrayList<>();
        submissions.forEach(submission -> intents.add(intent(context, submission, validation)));
        new Batch<>(intents, apply::apply)
                .run((i, result) -> report.add(submissions.get(i), result));
        return report.end(submissions.size(), input.unreadable());
    }

    /** The server refuses every unknown field of what is applied; here they are left out. */
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
