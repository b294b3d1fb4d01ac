package dev.orloj.cli.command;

import dev.orloj.cli.http.McpChannel;
import dev.orloj.cli.mcp.StdioBridge;

import java.io.IOException;

/** Is an MCP server on stdin and stdout, which clients start as a program. */
final class McpCommand extends Command {

    private final TextsOption arguments =
            arguments(
                    "0..*",
                    "[SERVER...]",
                    "One McpServer as itself, or several as a part of the namespace. Default: all"
                            + " of it.");

    McpCommand() {
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
    int run(Context context) {
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
