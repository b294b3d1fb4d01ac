package dev.orloj.cli.check;

import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.output.FileErrors;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/** A file that receives the result in a format of its own. */
record ReportFile(ReportFormat format, String name) {

    /** Parses {@code sarif=check.sarif}. */
    static ReportFile parse(String text) {
        int equals = text.indexOf('=');
        if (equals < 0 || equals == text.length() - 1) {
            throw new UsageException(
                    "\"%s\" is no FORMAT=FILE such as sarif=check.sarif".formatted(text));
        }
        return new ReportFile(
                ReportFormat.parse(text.substring(0, equals)), text.substring(equals + 1));
    }

    void write(List<Checked> checked, FailOn failOn) {
        try {
            Files.writeString(Path.of(name), format.write(checked, failOn));
        } catch (IOException | InvalidPathException e) {
            throw new CommandException(
                    "cannot write \"%s\": %s".formatted(name, FileErrors.reason(e)));
        }
    }
}
