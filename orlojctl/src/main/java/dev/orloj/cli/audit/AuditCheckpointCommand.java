package dev.orloj.cli.audit;

import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;

/** Prints what the audit log has come to, signed. */
final class AuditCheckpointCommand extends Command {

    AuditCheckpointCommand() {
        super(
                "Print a signed checkpoint of the audit log; keep it elsewhere.",
                "orlojctl audit checkpoint > checkpoint.json");
    }

    @Override
    public int run(Context context) {
        context.out().print(AuditPaths.checkpoint(context).toJson() + "\n");
        return ExitCode.OK;
    }
}
