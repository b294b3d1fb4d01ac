package dev.orloj.cli.audit;

import dev.orloj.api.audit.AuditCheckpoint;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;

/** Prints the whole audit log, with all that verifies it. */
final class ExportAuditCommand extends Command {

    ExportAuditCommand() {
        super(
                "Print the whole audit log as JSON lines that can be verified without a server.",
                "orlojctl audit export > audit.jsonl",
                "orlojctl audit verify audit.jsonl");
    }

    @Override
    public int run(Context context) {
        AuditCheckpoint head = AuditPaths.checkpoint(context); // further events follow meanwhile
        AuditPaths.forEachLine(context, line -> context.out().print(line + "\n"));
        context.out().print(head.toJson() + "\n");
        return ExitCode.OK;
    }
}
