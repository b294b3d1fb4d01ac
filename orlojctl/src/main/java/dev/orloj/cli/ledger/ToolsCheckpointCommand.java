package dev.orloj.cli.ledger;

import dev.orloj.api.ledger.LedgerCheckpoint;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;

/** Prints what the ledgers have come to, signed. */
final class ToolsCheckpointCommand extends Command {

    private final Flag everywhere = flag("Of every namespace.", "-A", "--all-namespaces");

    ToolsCheckpointCommand() {
        super(
                "Print a signed checkpoint of the ledgers; keep it elsewhere.",
                "orlojctl tools checkpoint -A > tools.checkpoint",
                "orlojctl tools verify -A --checkpoint tools.checkpoint");
    }

    @Override
    public int run(Context context) {
        String namespace = everywhere.isSet() ? "" : context.namespace();
        LedgerCheckpoint checkpoint = Checkpoints.ofServer(context, namespace);
        if (checkpoint.heads().isEmpty()) {
            EmptyNamespace.require(context, namespace);
            context.err()
                    .println(
                            "The checkpoint names no ledger: "
                                    + EmptyNamespace.noLedger(namespace));
        }
        context.out().print(checkpoint.note().note());
        return ExitCode.OK;
    }
}
