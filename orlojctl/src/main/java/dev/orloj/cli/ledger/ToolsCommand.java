package dev.orloj.cli.ledger;

import dev.orloj.cli.command.GroupCommand;

/** What servers have offered, and what of it is served; {@code get tools} lists what is. */
public final class ToolsCommand extends GroupCommand {

    public ToolsCommand() {
        super(
                "Show the ledgers of tools, and approve or reject changed" + " definitions.",
                "orlojctl tools history github",
                "orlojctl tools diff github--create-issue",
                "orlojctl tools at 2026-11-01T12:00:00Z github",
                "orlojctl tools verify github",
                "orlojctl tools pending",
                "orlojctl tools approve github create_issue");
        spec().addSubcommand("history", new HistoryCommand().spec());
        spec().addSubcommand("diff", new ToolDiffCommand().spec());
        spec().addSubcommand("blame", new BlameCommand().spec());
        spec().addSubcommand("at", new AtCommand().spec());
        spec().addSubcommand("verify", new VerifyCommand().spec());
        spec().addSubcommand("checkpoint", new ToolsCheckpointCommand().spec());
        spec().addSubcommand("pending", new PendingCommand().spec());
        spec().addSubcommand("approve", DecideCommand.approve().spec());
        spec().addSubcommand("reject", DecideCommand.reject().spec());
        spec().addSubcommand("pin", new PinCommand().spec());
    }
}
