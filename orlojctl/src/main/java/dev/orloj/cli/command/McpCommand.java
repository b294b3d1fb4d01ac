package dev.orloj.cli.command;

import dev.orloj.cli.http.McpChannel;
import dev.orloj.cli.mcp.StdioBridge;

import java.io.IOException;
import java.util.List;

/** Is an MCP server on stdin and stdout, which clients start as a program. */
final class McpCommand extends Command {

    private final TextsOption arguments =
            arguments("0..1", "SERVER", "One McpServer as itself. Default: all of the namespace.");

    McpCommand() {
        super(
                "Be an MCP server on stdin and stdout, with the tools of a namespace or a server.",
                "orlojctl mcp",
                "orlojctl mcp -n team-a",
                "orlojctl mcp github",
                "orlojctl mcp show-merged github");
        spec().addSubcommand("show-merged", new ShowMergedCommand().spec());
    }

    @Override
    int run(Context context) {
        List<String> servers = arguments.get();
        McpEndpointPath path =
                new McpEndpointPath(
                        context.namespace(), servers.isEmpty() ? "" : servers.getFirst());
        McpChannel channel = new McpChannel(context.connection(), path.toString());
        try {
            new StdioBridge(channel, context.out(), context.err()).run(context.console().in());
        } catch (IOException e) {
            throw new CommandException("the client was cut off: " + e.getMessage());
        }
        return Orlojctl.OK;
    }
}
