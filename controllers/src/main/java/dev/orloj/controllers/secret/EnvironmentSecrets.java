package dev.orloj.controllers.secret;

import dev.orloj.api.core.SecretRef;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Supplies values for references to Secrets that do not exist, from environment variables of
 * orlojd: {@code my-key} is {@code ORLOJ_SECRET_MY_KEY}, {@code my-key/token} is {@code
 * ORLOJ_SECRET_MY_KEY_TOKEN}. The values apply to every namespace, so the operator who starts
 * orlojd shares them with all. Immutable.
 */
public final class EnvironmentSecrets {

    private static final String PREFIX = "ORLOJ_SECRET_";

    /** No variables. */
    public static final EnvironmentSecrets NONE = new EnvironmentSecrets(Map.of());

    private final Map<String, String> values = new TreeMap<>();

    /**
     * @param environment variables; those without the prefix and empty ones are ignored
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
     * Returns the variable for a reference: letters and digits in upper case, {@code _} for
     * anything else.
     */
    public static String variable(SecretRef ref) {
        String name = ref.key().isEmpty() ? ref.name() : ref.name() + "_" + ref.key();
        return PREFIX + name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
    }

    /** Returns the value of the variable for a reference, if there is one. */
    public Optional<String> find(SecretRef ref) {
        return Optional.ofNullable(values.get(variable(ref)));
    }

    /** Contains names only, no values. */
    @Override
    public String toString() {
        return "EnvironmentSecrets" + values.keySet();
    }
}
