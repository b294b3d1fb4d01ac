package dev.orloj.cli.audit;

import dev.orloj.api.audit.AuditCheckpoint;
import dev.orloj.api.audit.AuditRecord;
import dev.orloj.api.audit.AuditVerification;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Verifies the audit log of a server, or an export of it. */
final class VerifyAuditCommand extends Command {

    private final TextsOption arguments =
            arguments("0..1", "[FILE]", "An export, instead of the log of the server.");
    private final TextOption checkpoint =
            text("FILE", "A checkpoint that was kept elsewhere.", "--checkpoint");

    VerifyAuditCommand() {
        super(
                "Find out whether the audit log was changed, cut or replaced.",
                "orlojctl audit verify --checkpoint checkpoint.json",
                "orlojctl audit verify audit.jsonl --checkpoint checkpoint.json");
    }

    @Override
    public int run(Context context) {
        Optional<AuditCheckpoint> kept = checkpoint.get().map(VerifyAuditCommand::readCheckpoint);
        Lines lines = new Lines(new AuditVerification(kept));
        if (arguments.get().isEmpty()) {
            AuditCheckpoint head = AuditPaths.checkpoint(context);
            AuditPaths.forEachLine(context, lines::take);
            lines.verification.end(head);
        } else {
            readFile(arguments.get().getFirst(), lines);
        }
        List<String> problems = lines.verification.problems();
        problems.forEach(problem -> context.err().println("orlojctl: " + problem));
        if (!problems.isEmpty()) {
            return ExitCode.FINDINGS;
        }
        context.out().print(whole(lines.verification) + "\n");
        if (kept.isEmpty()) {
            context.err()
                    .println(
                            "Without a --checkpoint that was kept elsewhere, this does not show"
                                    + " that the newest events are there.");
        }
        return ExitCode.OK;
    }

    private static String whole(AuditVerification verification) {
        return verification.first() == 0
                ? "The audit log has no events."
                : "The audit log is whole: events %d to %d."
                        .formatted(verification.first(), verification.last());
    }

    private static AuditCheckpoint readCheckpoint(String file) {
        try {
            return AuditCheckpoint.parse(Files.readString(Path.of(file)))
                    .orElseThrow(
                            () ->
                                    new CommandException(
                                            "\"%s\" is no checkpoint, as \"orlojctl audit checkpoint\" prints it"
                                                    .formatted(file)));
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    private static void readFile(String file, Lines lines) {
        try (Stream<String> content = Files.lines(Path.of(file))) {
            content.forEach(lines::take);
        } catch (IOException | UncheckedIOException e) {
            throw unreadable(file, e);
        }
    }

    private static CommandException unreadable(String file, Exception e) {
        return new CommandException("cannot read \"%s\": %s".formatted(file, e));
    }

    /**
     * The lines of an export: a checkpoint before the records and after them, each if it is there.
     */
    private static final class Lines {

        private final AuditVerification verification;
        private boolean begun;

        Lines(AuditVerification verification) {
            this.verification = verification;
        }

        void take(String line) {
            Optional<AuditRecord> record = AuditRecord.parse(line);
            Optional<AuditCheckpoint> checkpoint =
                    record.isPresent() ? Optional.empty() : AuditCheckpoint.parse(line);
            if (record.isPresent()) {
                verification.take(record.get());
            } else if (checkpoint.isEmpty()) {
                verification.takeUnreadable();
            } else if (begun) {
                verification.end(checkpoint.get());
            } else {
                verification.begin(checkpoint.get());
            }
            begun = true;
        }
    }
}
