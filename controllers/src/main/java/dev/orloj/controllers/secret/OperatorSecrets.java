package dev.orloj.controllers.secret;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.core.SecretRef;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Values that the operator of orlojd supplies where a Secret does not exist: in files, and then in
 * the environment of orlojd.
 */
public record OperatorSecrets(MountedSecrets mounted, EnvironmentSecrets environment) {

    /** No values. */
    public static final OperatorSecrets NONE = of(EnvironmentSecrets.NONE);

    /** Returns the values of the environment alone. */
    public static OperatorSecrets of(EnvironmentSecrets environment) {
        return new OperatorSecrets(MountedSecrets.NONE, environment);
    }

    /**
     * Describes where the values of a server come from, for the message of a condition.
     *
     * @param sources names of variables, and paths of files
     */
    public static String described(List<String> sources) {
        return described(sources, "of the environment of orlojd", name -> !isFile(name))
                + described(sources, "of files", OperatorSecrets::isFile);
    }

    private static boolean isFile(String source) {
        return source.startsWith("/");
    }

    private static String described(
            List<String> sources, String origin, Predicate<String> selection) {
        List<String> names = sources.stream().filter(selection).toList();
        return names.isEmpty()
                ? ""
                : ", with values %s: %s".formatted(origin, String.join(", ", names));
    }

    /** Returns how to supply a value that is missing, and what is wrong with its files. */
    public String remedy(String namespace, SecretRef ref) {
        String variable = EnvironmentSecrets.variable(ref);
        Optional<String> files = mounted.remedy(new ResourceKey(namespace, ref.name()));
        return "create it, or start orlojd with the value in "
                + variable
                + files.map(problem -> "; " + problem).orElse("");
    }
}
