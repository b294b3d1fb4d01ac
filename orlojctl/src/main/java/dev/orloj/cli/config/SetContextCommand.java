package dev.orloj.cli.config;

import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.kubeconfig.Kubeconfig;
import dev.orloj.cli.kubeconfig.KubeconfigFile;

import tools.jackson.databind.node.ObjectNode;

/** Adds a context, or changes one. */
final class SetContextCommand extends KubeconfigCommand {

    private final TextsOption arguments = arguments("0..1", "[NAME]", "Name of the context.");
    private final Flag current = flag("The current context.", "--current");
    private final TextOption cluster = text("NAME", "Its cluster.", "--cluster");
    private final TextOption user = text("NAME", "Its user.", "--user");

    SetContextCommand() {
        super(
                "Add a context, or change one: its cluster, user and, with -n, namespace.",
                "orlojctl config set-context team --cluster orloj --namespace team-a",
                "orlojctl config set-context --current --namespace team-b");
    }

    @Override
    int run(Context context, Kubeconfig config) {
        if (current.isSet() != arguments.get().isEmpty()) {
            throw needs("either NAME or --current");
        }
        String name = current.isSet() ? config.currentContext() : arguments.get().getFirst();
        if (name.isEmpty()) {
            throw new CommandException("there is no current context");
        }
        boolean isNew = config.entry("contexts", name).isEmpty();
        KubeconfigFile file = config.fileOf("contexts", name);
        ObjectNode entry = file.putEntry("contexts", name);
        cluster.get().ifPresent(text -> entry.put("cluster", text));
        user.get().ifPresent(text -> entry.put("user", text));
        context.namedNamespace().ifPresent(text -> entry.put("namespace", text));
        save(file);
        context.out().print("Context \"%s\" %s.\n".formatted(name, isNew ? "created" : "modified"));
        return ExitCode.OK;
    }
}
