package dev.orloj.cli.manifest;

import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;

import java.util.ArrayList;
import java.util.List;

/** The options {@code -f}, {@code -k}, {@code -R} and {@code --allow-env} of a command. */
public final class ManifestSources {

    private final TextsOption files;
    private final TextsOption kustomizations;
    private final AllowEnvOption allowedEnv;

    /** Adds an option with a value to a command. */
    public interface Texts {
        TextsOption add(String label, String description, String... names);
    }

    /** Adds an option without a value to a command. */
    public interface Flags {
        Flag add(String description, String... names);
    }

    /**
     * @param purpose what the command does with the manifests
     */
    public ManifestSources(Texts texts, Flags flags, String purpose) {
        files =
                texts.add(
                        "FILE",
                        purpose + " A file, a folder, a URL, or - for standard input.",
                        "-f",
                        "--filename");
        kustomizations =
                texts.add("DIR", "The same, with what kustomize builds.", "-k", "--kustomize");
        allowedEnv = new AllowEnvOption(texts::add);
        flags.add(
                "Accepted as kubectl has it: folders always include theirs.", "-R", "--recursive");
    }

    public boolean isGiven() {
        return !files.get().isEmpty() || !kustomizations.get().isEmpty();
    }

    /**
     * Reads all manifests and reports unreadable ones.
     *
     * @throws CommandException when a file does not exist, or when there are no manifests
     */
    public ManifestInput read(Context context) {
        return ManifestInput.read(context, names(), allowedEnv.in(context.console().environment()));
    }

    /** Returns the files, as they are given. */
    public List<String> names() {
        if (!files.get().isEmpty() && !kustomizations.get().isEmpty()) {
            throw new UsageException("-f and -k exclude each other");
        }
        List<String> names = new ArrayList<>(files.get());
        kustomizations.get().forEach(folder -> names.add(Kustomization.PREFIX + folder));
        return names;
    }
}
