package dev.orloj.cli.config;

import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.kubeconfig.Kubeconfig;
import dev.orloj.cli.kubeconfig.KubeconfigFile;

/** Removes a context; its cluster and its user stay. */
final class DeleteContextCommand extends KubeconfigCommand {

    private final TextsOption arguments = arguments("1", "NAME", "Name of the context.");

    DeleteContextCommand() {
        super("Remove a context.", "orlojctl config delete-context team");
    }

    @Override
    int run(Context context, Kubeconfig config) {
        String name = arguments.get().getFirst();
        requireContext(config, name);
        KubeconfigFile file = config.fileOf("contexts", name);
        file.removeEntry("contexts", name);
        save(file);
        context.out().print("deleted context %s from %s\n".formatted(name, file.path()));
        return ExitCode.OK;
    }
}
