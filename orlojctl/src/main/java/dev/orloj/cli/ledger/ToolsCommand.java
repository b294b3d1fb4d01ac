package dev.orloj.cli.ledger;

import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.UsageException;

/** What servers have offered; {@code get tools} shows what they offer now. */
public final class ToolsCommand extends Command {

    public ToolsCommand() {
        super(
                "Show what the tools of servers have been, and check the record of it.",
                "orlojctl tools history github",
                "orlojctl tools diff github--create-issue",
                "orlojctl tools at 2026-11-01T12:00:00Z github",
                "orlojctl tools verify github");
        spec().addSubcommand("history", new HistoryCommand().spec());
        spec().addSubcommand("diff", new ToolDiffCommand().spec());
        spec().addSubcommand("at", new AtCommand().spec());
        spec().addSubcommand("verify", new VerifyCommand().spec());
    }

    @Override
    public int run(Context context) {
        throw new UsageException("tools what? history, diff, at or verify; get tools lists them");
    }
}
