package dev.orloj.cli.client;

import dev.orloj.cli.command.GroupCommand;

/** Changes of the files of MCP clients. */
public final class ClientCommand extends GroupCommand {

    public ClientCommand() {
        super("Undo changes of Orloj in the files of clients.", "orlojctl client restore");
        spec().addSubcommand("restore", new ClientRestoreCommand().spec());
    }
}
