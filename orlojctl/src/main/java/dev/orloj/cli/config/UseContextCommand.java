package dev.orloj.cli.config;

import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.kubeconfig.Kubeconfig;

/** Makes a context the current one. */
final class UseContextCommand extends KubeconfigCommand {

    private final TextsOption arguments = arguments("1", "NAME", "Name of the context.");

    UseContextCommand() {
        super("Make a context the current one.", "orlojctl config use-context team");
    }

    @Override
    int run(Context context, Kubeconfig config) {
        String name = arguments.get().getFirst();
        requireContext(config, name);
        save(makeCurrent(config, name));
        context.out().print("Switched to context \"%s\".\n".formatted(name));
        return ExitCode.OK;
    }
}
