package dev.orloj.cli.command;

import dev.orloj.api.ApiException;
import dev.orloj.cli.http.DocumentClient;
import dev.orloj.cli.output.Documents;
import dev.orloj.cli.output.Text;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes the server's resources be as files say. */
final class ApplyCommand extends Command {

    private final TextsOption files =
            texts("FILE", "A file, a folder, or - for standard input.", "-f", "--filename");
    private final TextOption dryRun =
            text("WHERE", "Change nothing, only check: server or client.", "--dry-run");
    private final TextOption validate =
            text("HOW", "Unknown fields: strict, warn or ignore. Default: strict.", "--validate");
    private final TextOption output = text("FORMAT", "name, json or yaml.", "-o", "--output");

    ApplyCommand() {
        super(
                "Create resources, or change them to what files say.",
                "orlojctl apply -f server.yaml",
                "orlojctl apply -f servers/ -f secret.json",
                "cat server.yaml | orlojctl apply -f - --dry-run=server");
    }

    @Override
    int run(Context context) {
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
        Input input = read(context, files.get());
        if (how == DryRun.CLIENT) {
            return checkOnly(context, input, validation);
        }
        return apply(context, input, how, validation, format);
    }

    /**
     * What files say.
     *
     * @param unreadable how many manifests are left out, because they cannot be read
     */
    record Input(List<Submission> submissions, int unreadable) {

        /** Of a command that did what the rest of them say. */
        int exitCode() {
            return unreadable == 0 ? Orlojctl.OK : Orlojctl.FAILED;
        }
    }

    /**
     * Reads all that the files say, and reports what cannot be read.
     *
     * @throws CommandException when a file is not there, or when there is nothing
     */
    static Input read(Context context, List<String> files) {
        ManifestFiles read = ManifestFiles.read(context.console(), files);
        List<String> errors = new ArrayList<>(read.errors());
        List<Submission> submissions =
                Submission.of(read.manifests(), context.namedNamespace(), errors);
        if (errors.isEmpty() && submissions.isEmpty()) {
            throw new CommandException(
                    "there is no manifest in "
                            + String.join(", ", files).replaceFirst("^-$", "standard input"));
        }
        errors.forEach(error -> context.err().println("orlojctl: " + error));
        return new Input(submissions, errors.size());
    }

    private static int checkOnly(Context context, Input input, Validation validation) {
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
        return broken == 0 ? Orlojctl.OK : Orlojctl.FAILED;
    }

    private static int apply(
            Context context,
            Input input,
            DryRun how,
            Validation validation,
            Optional<Format> format) {
        boolean isDry = how == DryRun.SERVER;
        Applier applier =
                new Applier(
                        context.documents(),
                        new DocumentClient.WriteMode(isDry, validation.wireName()));
        List<ObjectNode> applied = new ArrayList<>();
        int failed = input.unreadable();
        for (Submission submission : input.submissions()) {
            try {
                Applier.Outcome outcome = applier.apply(submission);
                applied.add(Masked.of(outcome.document()));
                if (format.isEmpty()) {
                    context.out()
                            .print(
                                    "%s %s%s\n"
                                            .formatted(
                                                    submission.display(),
                                                    outcome.what(),
                                                    isDry ? " (server dry run)" : ""));
                } else if (format.get() == Format.NAME) {
                    context.out().print(submission.display() + "\n");
                }
            } catch (ApiException e) {
                failed++;
                context.out().flush();
                Applier.explain(submission, e)
                        .forEach(line -> context.err().println("orlojctl: " + line));
            }
        }
        format.filter(f -> f != Format.NAME)
                .ifPresent(f -> context.out().print(f.write(Documents.oneOrList(applied, false))));
        int all = input.submissions().size() + input.unreadable();
        if (failed > 0 && all > 1) {
            context.out().flush();
            context.err()
                    .println(
                            "orlojctl: %s of %d could not be applied"
                                    .formatted(Text.count(failed, "manifest"), all));
        }
        return failed == 0 ? Orlojctl.OK : Orlojctl.FAILED;
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
        STRICT("Strict"),
        WARN("Warn"),
        IGNORE("Ignore");

        private final String wireName;

        Validation(String wireName) {
            this.wireName = wireName;
        }

        String wireName() {
            return wireName;
        }

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
