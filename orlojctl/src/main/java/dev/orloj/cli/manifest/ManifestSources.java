package dev.orloj.cli.manifest;

import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;

import java.util.ArrayList;
import java.util.List;

/** The options {@code -f}, {@code -k} and {@code -R} of a command. */
public final class ManifestSources {

    private final TextsOption files;
    private final TextsOption kustomizations;

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
        flags.add(
                "Accepted as kubectl has it: folders always include theirs.", "-R", "--recursive");
    }

    public boolean isGiven() {
        return !files.get().isEmpty() || !kustomizations.get().isEmpty();
    }

    /** Returns what {@link ManifestInput#read} takes. */
    public List<String> names() {
        if (!files.get().isEmpty() && !kustomizations.get().isEmpty()) {
            throw new UsageException("-f and -k exclude each other");
        }
        List<String> names = new ArrayList<>(files.get());
        kustomizations.get().forEach(folder -> names.add(Kustomization.PREFIX + folder));
        return names;
    }
}
