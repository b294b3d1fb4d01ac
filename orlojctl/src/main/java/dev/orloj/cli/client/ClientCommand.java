package dev.orloj.cli.client;

import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.UsageException;

/** Changes of the files of MCP clients. */
public final class ClientCommand extends Command {

    public ClientCommand() {
        super("Undo changes of Orloj in the files of clients.", "orlojctl client restore");
        spec().addSubcommand("restore", new ClientRestoreCommand().spec());
    }

    @Override
    public int run(Context context) {
        throw new UsageException("client what? Give restore");
    }
}
