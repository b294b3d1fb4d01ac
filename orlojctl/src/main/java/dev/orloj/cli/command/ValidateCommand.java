package dev.orloj.cli.command;

import java.util.List;

/** Checks files without a server. */
final class ValidateCommand extends Command {

    private final TextsOption files =
            texts("FILE", "A file, a folder, or - for standard input.", "-f", "--filename");

    ValidateCommand() {
        super(
                "Check files without a server.",
                "orlojctl validate -f server.yaml",
                "orlojctl validate -f servers/");
    }

    @Override
    int run(Context context) {
        if (files.get().isEmpty()) {
            throw new UsageException("what to check? Name it with -f FILE");
        }
        ManifestInput input = ManifestInput.read(context, files.get());
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
