package dev.orloj.api.policy;

import com.fasterxml.jackson.annotation.JsonInclude;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A command that servers may run on the host.
 *
 * @param command the first word of the command as manifests write it; {@code *} stands for any
 *     characters but {@code /}
 * @param packages what a package runner may run; null for any package
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record CommandRule(String command, @Nullable List<String> packages) {

    /** A path with these parts can name another program than its pattern. */
    private static final Pattern DOTS = Pattern.compile("(?:.*/)?\\.\\.?(?:/.*)?|.*//.*");

    private static final Set<String> VARIABLES =
            Set.of(
                    "PATH",
                    "HOME",
                    "ENV",
                    "BASH_ENV",
                    "SHELLOPTS",
                    "BASHOPTS",
                    "PS4",
                    "IFS",
                    "XDG_CONFIG_HOME",
                    "XDG_CONFIG_DIRS",
                    "NODE_OPTIONS",
                    "NODE_PATH",
                    "PYTHONPATH",
                    "PYTHONHOME",
                    "PYTHONSTARTUP",
                    "PYTHONUSERBASE",
                    "PYTHONPLATLIBDIR",
                    "PYTHONEXECUTABLE",
                    "PYTHONWARNINGS",
                    "PYTHONBREAKPOINT",
                    "PERL5OPT",
                    "PERL5LIB",
                    "PERLLIB",
                    "PERL5DB",
                    "RUBYOPT",
                    "RUBYLIB",
                    "CLASSPATH",
                    "JAVA_TOOL_OPTIONS",
                    "_JAVA_OPTIONS",
                    "JDK_JAVA_OPTIONS",
                    "GCONV_PATH");

    private static final List<String> PREFIXES =
            List.of(
                    "LD_",
                    "DYLD_",
                    "GIT_",
                    "NPM_CONFIG_",
                    "YARN_",
                    "PNPM_",
                    "UV_",
                    "PIP_",
                    "PIPX_",
                    "BUN_",
                    "DOTNET_",
                    "BASH_FUNC_",
                    "COREPACK_");

    public CommandRule {
        packages = packages == null ? null : List.copyOf(packages);
    }

    /**
     * Returns whether an environment variable can make an allowed command run something else.
     * Compares without case, as npm does.
     */
    public static boolean redirects(String variable) {
        String name = variable.toUpperCase(Locale.ROOT);
        return VARIABLES.contains(name) || PREFIXES.stream().anyMatch(name::startsWith);
    }

    /**
     * @param words the command and all its arguments
     * @return why this rule does not allow them; empty if it does
     */
    public Optional<String> objection(List<String> words) {
        String program = words.isEmpty() ? "" : words.getFirst();
        if (DOTS.matcher(program).matches() || !Glob.matches(command, program)) {
            return Optional.of("\"%s\" is another command".formatted(command));
        }
        if (packages == null) {
            return Optional.empty();
        }
        Optional<PackageRun> run = PackageRun.of(words);
        if (run.isEmpty()) {
            return Optional.of(
                    "the package that \"%s\" runs is not known: name a package of the registry, such as name or name@1.2.3, directly after it%s"
                            .formatted(
                                    program,
                                    program.endsWith("npx") ? ", with no option but -y" : ""));
        }
        return packages.stream().anyMatch(pattern -> run.get().matches(program, pattern))
                ? Optional.empty()
                : Optional.of(
                        "\"%s\" may run only the packages %s"
                                .formatted(program, String.join(", ", packages)));
    }

    boolean matches(List<String> words) {
        return !words.isEmpty() && Glob.matches(command, words.getFirst());
    }
}
