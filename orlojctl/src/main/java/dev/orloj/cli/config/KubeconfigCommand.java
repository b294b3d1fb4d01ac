package dev.orloj.cli.config;

import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.Suggestions;
import dev.orloj.cli.kubeconfig.Kubeconfig;
import dev.orloj.cli.kubeconfig.KubeconfigFile;
import dev.orloj.cli.output.Documents;
import dev.orloj.cli.output.FileErrors;

import java.io.IOException;

/** A command that reads or changes the files of the kubeconfig. */
abstract class KubeconfigCommand extends Command {

    KubeconfigCommand(String summary, String... examples) {
        super(summary, examples);
    }

    @Override
    public final int run(Context context) {
        try {
            return run(context, context.kubeconfig());
        } catch (IllegalArgumentException e) {
            throw new CommandException(String.valueOf(e.getMessage()));
        }
    }

    abstract int run(Context context, Kubeconfig config);

    static void requireContext(Kubeconfig config, String name) {
        if (config.entry("contexts", name).isEmpty()) {
            throw new CommandException(
                    "there is no context \"%s\"%s"
                            .formatted(
                                    name,
                                    Suggestions.closest(name, config.names("contexts"))
                                            .map("; did you mean \"%s\"?"::formatted)
                                            .orElse("")));
        }
    }

    /** Makes a context the current one; returns the file to save. */
    static KubeconfigFile makeCurrent(Kubeconfig config, String name) {
        KubeconfigFile file =
                config.files().stream()
                        .filter(f -> !f.root().path("current-context").asString("").isEmpty())
                        .findFirst()
                        .orElseGet(config::first);
        file.root().put("current-context", name);
        return file;
    }

    static void save(KubeconfigFile file) {
        file.initialize();
        try {
            file.save(Documents.toYaml(file.root()));
        } catch (IOException e) {
            throw new CommandException(
                    "cannot write \"%s\": %s".formatted(file.path(), FileErrors.reason(e)));
        }
    }
}
