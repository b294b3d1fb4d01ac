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
        if (context.console().isInteractive()) {
            List<String> words = arguments.get();
            throw words.isEmpty() ? incomplete() : unknown(words.getFirst());
        }
        return McpServeCommand.serve(context, arguments.get());
    }

    private UsageException unknown(String word) {
        return new UsageException(
                "unknown command \"%s\"%s"
                        .formatted(
                                word,
                                Suggestions.closest(word, spec().subcommands().keySet())
                                        .map(guess -> "; did you mean \"" + guess + "\"?")
                                        .orElse("")));
    }
}
