package dev.orloj.cli.admin;

import dev.orloj.cli.command.GroupCommand;

/** What those do who run orlojd. */
public final class AdminCommand extends GroupCommand {

    public AdminCommand() {
        super(
                "Back up and restore the whole database, and manage the keys of Secrets.",
                "orlojctl admin backup orloj.backup",
                "orlojctl admin restore orloj.backup",
                "orlojctl admin keys",
                "orlojctl admin rotate-keys");
        spec().addSubcommand("backup", new BackupCommand().spec());
        spec().addSubcommand("restore", new RestoreCommand().spec());
        spec().addSubcommand("keys", new ListKeysCommand().spec());
        spec().addSubcommand("rotate-keys", new RotateKeysCommand().spec());
    }
}
