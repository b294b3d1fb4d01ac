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
        List<Submission> submissions = read(context, files.get());
        if (how == DryRun.CLIENT) {
            return checkOnly(context, submissions, validation);
        }
        return apply(context, submissions, how, validation, format);
    }

    /** Everything that the files say; nothing happens unless all of it can be read. */
    static List<Submission> read(Context context, List<String> files) {
        ManifestFiles read = ManifestFiles.read(context.console(), files);
        List<String> errors = new ArrayList<>(read.errors());
        List<Submission> submissions =
                Submission.of(read.manifests(), context.namedNamespace(), errors);
        if (errors.isEmpty() && submissions.isEmpty()) {
            errors.add("there is no manifest in " + String.join(", ", files));
        }
        if (!errors.isEmpty()) {
            String rest = errors.size() > 1 ? "\norlojctl: " : "";
            throw new CommandException(
                    String.join("\norlojctl: ", errors)
                            + (rest.isEmpty() ? "" : rest + "nothing was done"));
        }
        return submissions;
    }

    private static int checkOnly(
            Context context, List<Submission> submissions, Validation validation) {
        int broken = 0;
        for (Submission submission : submissions) {
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
            List<Submission> submissions,
            DryRun how,
            Validation validation,
            Optional<Format> format) {
        boolean isDry = how == DryRun.SERVER;
        Applier applier =
                new Applier(
                        context.documents(),
                        new DocumentClient.WriteMode(isDry, validation.wireName()));
        List<ObjectNode> applied = new ArrayList<>();
        int failed = 0;
        for (Submission submission : submissions) {
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
        if (failed > 0 && submissions.size() > 1) {
            context.out().flush();
            context.err()
                    .println(
                            "orlojctl: %s of %d could not be applied"
                                    .formatted(Text.count(failed, "manifest"), submissions.size()));
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
