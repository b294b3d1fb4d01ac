package dev.orloj.cli.config;

import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.kubeconfig.Kubeconfig;

/** Shows the name of the current context. */
final class CurrentContextCommand extends KubeconfigCommand {

    CurrentContextCommand() {
        super("Show the current context.", "orlojctl config current-context");
    }

    @Override
    int run(Context context, Kubeconfig config) {
        if (config.currentContext().isEmpty()) {
            throw new CommandException(
                    "there is no current context; choose one with: orlojctl config use-context");
        }
        context.out().print(config.currentContext() + "\n");
        return ExitCode.OK;
    }
}
