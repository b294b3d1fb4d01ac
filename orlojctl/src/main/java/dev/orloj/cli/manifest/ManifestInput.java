package dev.orloj.cli.manifest;

import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;

import java.util.ArrayList;
import java.util.List;

/**
 * The manifests of the files that a command line names.
 *
 * @param unreadable how many manifests are left out, because they cannot be read
 */
public record ManifestInput(List<Submission> submissions, int unreadable) {

    /** Of a command that did what the rest of them say. */
    public int exitCode() {
        return unreadable == 0 ? ExitCode.OK : ExitCode.FAILED;
    }

    /**
     * Reads all that the files say, and reports what cannot be read.
     *
     * @throws CommandException when a file is not there, or when there is nothing
     */
    public static ManifestInput read(Context context, List<String> files) {
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
        return new ManifestInput(submissions, errors.size());
    }
}
