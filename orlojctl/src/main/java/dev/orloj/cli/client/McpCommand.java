package dev.orloj.cli.client;

import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.http.McpChannel;
import dev.orloj.cli.mcp.StdioBridge;
import dev.orloj.cli.server.ShowMergedCommand;

import java.io.IOException;

/** Runs an MCP server on stdin and stdout, which clients start as a program. */
public final class McpCommand extends Command {

    private final TextsOption arguments =
            arguments(
                    "0..*",
                    "[SERVER...]",
                    "One McpServer as itself, or several as a part of the namespace. Default: all"
                            + " of it.");

    public McpCommand() {
        super(
                "Be an MCP server on stdin and stdout, with the tools of a namespace or of some"
                        + " servers.",
                "orlojctl mcp",
                "orlojctl mcp -n team-a",
                "orlojctl mcp github",
                "orlojctl mcp github jira",
                "orlojctl mcp show-merged github");
        spec().addSubcommand("show-merged", new ShowMergedCommand().spec());
    }

    @Override
    public int run(Context context) {
        McpEndpointPath path = new McpEndpointPath(context.namespace(), arguments.get());
        McpChannel channel = new McpChannel(context.connection(), path.toString());
        try {
            new StdioBridge(channel, context.out(), context.err()).run(context.console().in());
        } catch (IOException e) {
            throw new CommandException("the client was cut off: " + e.getMessage());
        }
        return ExitCode.OK;
    }
}
