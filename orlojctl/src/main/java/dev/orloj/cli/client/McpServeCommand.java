package dev.orloj.cli.client;

import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.http.McpChannel;
import dev.orloj.cli.mcp.StdioBridge;

import java.io.IOException;
import java.util.List;

/** Runs an MCP server on stdin and stdout, which clients start as a program. */
final class McpServeCommand extends Command {

    private final TextsOption arguments =
            arguments(
                    "0..*",
                    "[SERVER...]",
                    "One McpServer under its own names, or several servers of the"
                            + " namespace. Default: the whole namespace.");

    McpServeCommand() {
        super(
                "Serve the tools of a namespace, or of some servers, over MCP"
                        + " on stdin and stdout.",
                "orlojctl mcp serve",
                "orlojctl mcp serve -n team-a",
                "orlojctl mcp serve github",
                "orlojctl mcp serve github jira");
    }

    @Override
    public int run(Context context) {
        return serve(context, arguments.get());
    }

    static int serve(Context context, List<String> servers) {
        McpEndpointPath path = new McpEndpointPath(context.namespace(), servers);
        McpChannel channel = new McpChannel(context.connection(), path.toString());
        try {
            new StdioBridge(channel, context.out(), context.err()).run(context.console().in());
        } catch (IOException e) {
            throw new CommandException("the client was cut off: " + e.getMessage());
        }
        return ExitCode.OK;
    }
}
