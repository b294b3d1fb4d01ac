package dev.orloj.cli.apply;

import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.manifest.ManifestInput;
import dev.orloj.cli.manifest.ManifestSources;
import dev.orloj.cli.manifest.Submission;

import java.util.List;

/** Validates files without a server. */
public final class ValidateCommand extends Command {

    private final ManifestSources sources =
            new ManifestSources(this::texts, this::flag, "What to check.");

    public ValidateCommand() {
        super(
                "Check files without a server.",
                "orlojctl validate -f server.yaml",
                "orlojctl validate -f servers/");
    }

    @Override
    public int run(Context context) {
        if (!sources.isGiven()) {
            throw needs("-f FILE");
        }
        ManifestInput input = sources.read(context);
        int exitCode = input.exitCode();
        for (Submission submission : input.submissions()) {
            List<String> errors = submission.check(true);
            if (errors.isEmpty()) {
                context.out().print(submission.display() + " valid\n");
            } else {
                errors.forEach(error -> context.err().println("orlojctl: " + error));
                exitCode = ExitCode.FAILED;
            }
        }
        return exitCode;
    }
}
