package dev.orloj.cli.manifest;

import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.variable.AllowedVariables;

import java.util.Map;

/** The option {@code --allow-env} of commands that read files. */
public final class AllowEnvOption {

    private final TextsOption names;

    public AllowEnvOption(ManifestSources.Texts texts) {
        names =
                texts.add(
                        "NAME",
                        "A variable of your environment that the files may use as ${NAME}; or a"
                                + " beginning with a *, such as GITHUB_*. Always allowed: those in"
                                + " $ORLOJ_ALLOW_ENV.",
                        AllowedVariables.OPTION);
    }

    /**
     * Returns the variables that files may use.
     *
     * @throws UsageException when a name is none
     */
    public AllowedVariables in(Map<String, String> environment) {
        try {
            return AllowedVariables.of(environment, names.get());
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }
}
