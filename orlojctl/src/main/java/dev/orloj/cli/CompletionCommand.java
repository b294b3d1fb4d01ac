package dev.orloj.cli;

import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;

import picocli.AutoComplete;

/** Writes a script that teaches a shell the commands and options. */
final class CompletionCommand extends Command {

    private final TextsOption arguments = arguments("1", "SHELL", "bash or zsh.");

    CompletionCommand() {
        super(
                "Print a script that completes commands and options.",
                "source <(orlojctl completion bash)",
                "orlojctl completion zsh > ~/.orlojctl-completion; source ~/.orlojctl-completion");
    }

    @Override
    public int run(Context context) {
        String shell = arguments.get().getFirst();
        if (!shell.equals("bash") && !shell.equals("zsh")) {
            throw new UsageException("no completion for \"" + shell + "\"; bash or zsh");
        }
        // One script for both: in zsh it turns the completion of bash on.
        context.out().print(AutoComplete.bash("orlojctl", spec().root().commandLine()));
        return ExitCode.OK;
    }
}
