package dev.orloj.cli.admin;

import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.UsageException;

/** What those do who run orlojd. */
public final class AdminCommand extends Command {

    public AdminCommand() {
        super(
                "Manage the keys that Secrets are encrypted with.",
                "orlojctl admin keys",
                "orlojctl admin rotate-keys");
        spec().addSubcommand("keys", new ListKeysCommand().spec());
        spec().addSubcommand("rotate-keys", new RotateKeysCommand().spec());
    }

    @Override
    public int run(Context context) {
        throw new UsageException("admin what? keys or rotate-keys");
    }
}
