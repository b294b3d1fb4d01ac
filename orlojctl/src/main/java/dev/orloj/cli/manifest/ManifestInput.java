package dev.orloj.cli.manifest;

import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.variable.AllowedVariables;

import java.util.ArrayList;
import java.util.List;

/**
 * The manifests in the files of a command line.
 *
 * @param unreadable the number of manifests that are omitted because they cannot be read
 */
public record ManifestInput(List<Submission> submissions, int unreadable) {

    /** Returns the exit code of a command that succeeded for all readable manifests. */
    public int exitCode() {
        return unreadable == 0 ? ExitCode.OK : ExitCode.FAILED;
    }

    /**
     * Reads all files and reports unreadable manifests.
     *
     * @param allowed the variables of the environment that the files may use
     * @throws CommandException when a file does not exist, or when there are no manifests
     */
    public static ManifestInput read(
            Context context, List<String> files, AllowedVariables allowed) {
        ManifestFiles read = ManifestFiles.read(context.console(), files, allowed);
        List<String> errors = new ArrayList<>(read.errors());
        List<Submission> submissions =
                Submission.of(
                        read.manifests(), context.namedNamespace(), context::namespace, errors);
        if (errors.isEmpty() && submissions.isEmpty()) {
            throw new CommandException(
                    "there is no manifest in "
                            + String.join(", ", files).replaceFirst("^-$", "standard input"));
        }
        errors.forEach(error -> context.err().println("orlojctl: " + error));
        return new ManifestInput(submissions, errors.size());
    }
}
