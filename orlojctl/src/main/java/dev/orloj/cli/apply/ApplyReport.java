package dev.orloj.cli.apply;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.Status;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Format;
import dev.orloj.cli.manifest.Submission;
import dev.orloj.cli.output.Console;
import dev.orloj.cli.output.Documents;
import dev.orloj.cli.output.Masked;
import dev.orloj.cli.output.Text;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Prints the result of each manifest. */
final class ApplyReport {

    private static final String NOT_TYPED = "failed to create typed patch object ";
    private static final String NOT_DECLARED = "field not declared in schema";

    private final Console console;
    private final boolean isDry;
    private final Optional<Format> format;
    private final List<ObjectNode> applied = new ArrayList<>();
    private int failed;
    private boolean hasConflicts;

    /**
     * @param format of the resources; empty for one line each
     */
    ApplyReport(Console console, boolean isDry, Optional<Format> format) {
        this.console = console;
        this.isDry = isDry;
        this.format = format;
    }

    void add(Submission submission, Supplier<Applied> result) {
        try {
            Applied outcome = result.get();
            warn(outcome.warnings());
            applied.add(Masked.of(Documents.withoutOwners(outcome.document())));
            if (format.isEmpty()) {
                print(submission.display() + " " + outcome.effect().word() + suffix());
            } else if (format.get() == Format.NAME) {
                print(submission.display());
            }
        } catch (ApiException e) {
            failed++;
            hasConflicts |= !Conflicts.of(e).isEmpty();
            explain(submission, e).forEach(this::complain);
        }
    }

    void add(Pruned pruned) {
        String line =
                "%s/%s pruned%s"
                        .formatted(Text.qualified(pruned.kind()), pruned.key().name(), suffix());
        if (format.isEmpty()) {
            print(line);
        } else {
            complain(line); // a program reads the output and expects only existing resources
        }
    }

    private void warn(List<String> warnings) {
        warnings.forEach(warning -> console.err().println("Warning: " + warning));
    }

    /** Prints at once: who interrupts the command sees what it has done. */
    private void print(String line) {
        console.out().print(line + "\n");
        console.out().flush();
    }

    private void complain(String line) {
        console.err().println("orlojctl: " + line);
    }

    private String suffix() {
        return isDry ? " (server dry run)" : "";
    }

    /**
     * Prints the resources, if requested, and how many manifests failed.
     *
     * @return the exit code
     */
    int end(int submitted, int unreadable) {
        format.filter(f -> f != Format.NAME)
                .ifPresent(f -> console.out().print(f.write(Documents.oneOrList(applied, false))));
        int all = submitted + unreadable;
        int broken = failed + unreadable;
        console.out().flush();
        if (hasConflicts) {
            complain(
                    "a field in conflict keeps its value: leave it out of the manifest, give it the"
                            + " value that it has, or take it over with --force-conflicts");
        }
        if (broken > 0 && all > 1) {
            complain(
                    "%s of %d could not be applied".formatted(Text.count(broken, "manifest"), all));
        }
        return broken == 0 ? ExitCode.OK : ExitCode.FAILED;
    }

    /** Returns the errors that the server reports for a manifest, each with its line. */
    static List<String> explain(Submission submission, ApiException e) {
        List<Status.Cause> conflicts = Conflicts.of(e);
        if (!conflicts.isEmpty()) {
            return conflicts.stream()
                    .map(cause -> submission.locate(field(cause.field()), cause.message()))
                    .toList();
        }
        String message = String.valueOf(e.getMessage());
        if (message.startsWith(NOT_TYPED)) {
            // The server stops at the first kind of error; this adds the others.
            return Stream.concat(problems(submission, message), submission.check(false).stream())
                    .distinct()
                    .toList();
        }
        List<Status.Cause> causes = e.details().map(Status.Details::causes).orElse(List.of());
        if (e.reason() == ErrorReason.INVALID && !causes.isEmpty()) {
            return causes.stream()
                    .map(cause -> submission.locate(cause.field(), cause.message()))
                    .toList();
        }
        return List.of(submission.manifest().locate("") + ": " + message + remedy(submission, e));
    }

    /**
     * Splits messages such as {@code failed to create typed patch object (default/a; orloj.dev/v1,
     * Kind=Tool): .spec.foo: field not declared in schema}; several problems are on separate lines.
     */
    private static Stream<String> problems(Submission submission, String message) {
        int end = message.indexOf("): ");
        String rest = end < 0 ? message : message.substring(end + "): ".length());
        return rest.lines()
                .filter(line -> !line.equals("errors:"))
                .map(line -> problem(submission, line.strip()));
    }

    private static String problem(Submission submission, String line) {
        int colon = line.indexOf(": ");
        if (colon < 0) {
            return submission.locate("", line);
        }
        String field = field(line.substring(0, colon));
        String what = line.substring(colon + 2);
        return what.equals(NOT_DECLARED)
                ? submission.unknown(field)
                : submission.locate(field, what);
    }

    /** Removes the dot before the first name. */
    private static String field(String path) {
        return path.startsWith(".") ? path.substring(1) : path;
    }

    private static String remedy(Submission submission, ApiException e) {
        boolean namespaceIsMissing =
                e.reason() == ErrorReason.NOT_FOUND
                        && e.details().map(d -> d.kind().equals("namespaces")).orElse(false);
        return namespaceIsMissing
                ? "; create it with: orlojctl create namespace " + submission.key().namespace()
                : "";
    }
}
