package dev.orloj.cli.variable;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The variables of the environment that a file may use. A file that comes from elsewhere must not
 * be able to read a secret of the user who applies it, such as {@code AWS_SECRET_ACCESS_KEY}, and
 * to send it with a header to an address of its own. Immutable; {@code toString} shows no value.
 */
public final class AllowedVariables {

    /** The option that allows variables. */
    public static final String OPTION = "--allow-env";

    /** The variable with the names that are always allowed, separated by commas. */
    public static final String SETTING = "ORLOJ_ALLOW_ENV";

    /** They say where things are, in which language, and who the user is. */
    private static final List<String> HARMLESS =
            List.of(
                    "HOME",
                    "USER",
                    "USERNAME",
                    "USERPROFILE",
                    "LOGNAME",
                    "SHELL",
                    "PATH",
                    "PWD",
                    "TMPDIR",
                    "TMP",
                    "TEMP",
                    "LANG",
                    "LC_*",
                    "TZ",
                    "XDG_*",
                    "APPDATA",
                    "LOCALAPPDATA",
                    "PROGRAMDATA",
                    "PROGRAMFILES",
                    "SYSTEMROOT");

    private static final Pattern NAME = Pattern.compile("\\*|[A-Za-z_][A-Za-z0-9_]*\\*?");

    private final Map<String, String> environment;
    private final List<String> named;

    private AllowedVariables(Map<String, String> environment, List<String> named) {
        this.environment = environment;
        this.named = named;
    }

    /** Allows all variables, for files that the programs of this user read in the same way. */
    public static AllowedVariables all(Map<String, String> environment) {
        return new AllowedVariables(environment, List.of("*"));
    }

    /**
     * Allows variables that reveal nothing, and those that the user names.
     *
     * @param names names, or beginnings of names with {@code *} after them
     * @throws IllegalArgumentException when something else is among them
     */
    public static AllowedVariables of(Map<String, String> environment, List<String> names) {
        List<String> named =
                Stream.concat(
                                names.stream().flatMap(AllowedVariables::split),
                                split(environment.getOrDefault(SETTING, "")))
                        .toList();
        for (String name : named) {
            if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        "%s \"%s\": expected the name of a variable, such as GITHUB_TOKEN, or a beginning with a *, such as GITHUB_*"
                                .formatted(OPTION, name));
            }
        }
        return new AllowedVariables(environment, named);
    }

    private static Stream<String> split(String list) {
        return Arrays.stream(list.split(",", -1)).map(String::strip).filter(n -> !n.isEmpty());
    }

    /** Returns whether the user has named a variable. */
    public boolean isNamed(String name) {
        return matches(named, name);
    }

    /** Returns whether a file may use a variable, whether or not it has a value. */
    public boolean isAllowed(String name) {
        return matches(named, name) || matches(HARMLESS, name);
    }

    private static boolean matches(List<String> patterns, String name) {
        return patterns.stream()
                .anyMatch(
                        pattern ->
                                pattern.endsWith("*")
                                        ? name.startsWith(
                                                pattern.substring(0, pattern.length() - 1))
                                        : name.equals(pattern));
    }

    /** Returns the value of a variable that is allowed and not empty. */
    public Optional<String> find(String name) {
        return isAllowed(name)
                ? Optional.ofNullable(environment.get(name)).filter(value -> !value.isEmpty())
                : Optional.empty();
    }

    /** Returns why a variable has no value, with the remedy. */
    public String whyMissing(String name) {
        return isAllowed(name) || environment.getOrDefault(name, "").isEmpty()
                ? "the variable " + name + " is not set"
                : "the variable %s of your environment is not given to this file; if you trust the file, add %s %s"
                        .formatted(name, OPTION, name);
    }

    @Override
    public String toString() {
        return "AllowedVariables" + named;
    }
}
