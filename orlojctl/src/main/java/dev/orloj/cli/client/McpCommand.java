package dev.orloj.cli.client;

import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.GroupCommand;
import dev.orloj.cli.command.Suggestions;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.server.ShowMergedCommand;

import java.util.List;

/** Adds, shows, runs and removes MCP servers. */
public final class McpCommand extends GroupCommand {

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
        List<String> words = arguments.get();
        String question =
                words.isEmpty()
                        ? ""
                        : Suggestions.question(words.getFirst(), spec().subcommands().keySet());
        if (question.isEmpty() && !context.console().isInteractive()) {
            return McpServeCommand.serve(context, words);
        }
        throw words.isEmpty()
                ? incomplete()
                : new UsageException(
                        "unknown command \"%s\"%s To serve an McpServer of this name: orlojctl mcp serve %1$s"
                                .formatted(words.getFirst(), question.isEmpty() ? "." : question));
    }
}
