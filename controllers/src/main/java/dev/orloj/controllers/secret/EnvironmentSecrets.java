package dev.orloj.controllers.secret;

import dev.orloj.api.core.SecretRef;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Values for references to Secrets that do not exist, from variables of orlojd: {@code my-key} is
 * {@code ORLOJ_SECRET_MY_KEY}, {@code my-key/token} is {@code ORLOJ_SECRET_MY_KEY_TOKEN}. They hold
 * for every namespace, so whoever starts orlojd gives them to all. Immutable.
 */
public final class EnvironmentSecrets {

    private static final String PREFIX = "ORLOJ_SECRET_";

    /** No variables at all. */
    public static final EnvironmentSecrets NONE = new EnvironmentSecrets(Map.of());

    private final Map<String, String> values = new TreeMap<>();

    /**
     * @param environment variables, of which the others and the empty ones are left out
     */
    public EnvironmentSecrets(Map<String, String> environment) {
        environment.forEach(
                (name, value) -> {
                    if (name.startsWith(PREFIX) && !value.isEmpty()) {
                        values.put(name, value);
                    }
                });
    }

    /**
     * The variable that a reference stands for: letters and digits in upper case, else {@code _}.
     */
    public static String variable(SecretRef ref) {
        String name = ref.key().isEmpty() ? ref.name() : ref.name() + "_" + ref.key();
        return PREFIX + name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
    }

    /** The value of the variable that a reference stands for, if there is one. */
    public Optional<String> find(SecretRef ref) {
        return Optional.ofNullable(values.get(variable(ref)));
    }

    /** Names only. */
    @Override
    public String toString() {
        return "EnvironmentSecrets" + values.keySet();
    }
}
