package dev.orloj.cli.client;

import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.server.ShowMergedCommand;

/** Adds, shows, runs and removes MCP servers. */
public final class McpCommand extends Command {

    private final TextsOption arguments =
            arguments(
                    "0..*",
                    "[SERVER...]",
                    "As for serve, in older configurations that start orlojctl" + " mcp.");

    public McpCommand() {
        super(
                "Add, show, run and remove MCP servers, and serve them to a client.",
                "orlojctl mcp add files -- npx -y @modelcontextprotocol/server-filesystem /srv",
                "orlojctl mcp list",
                "orlojctl mcp serve");
        spec().addSubcommand("serve", new McpServeCommand().spec());
        spec().addSubcommand("show-merged", new ShowMergedCommand().spec());
    }

    @Override
    public int run(Context context) {
        if (context.console().isInteractive()) {
            throw new UsageException(
                    "mcp what? Clients start \"orlojctl mcp serve\", which speaks MCP on stdin and"
                            + " stdout");
        }
        return McpServeCommand.serve(context, arguments.get());
    }
}
