package dev.orloj.api.policy;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The package that the command of a package runner names. Anything whose package is not known for
 * certain has none: options that are not known to be harmless, addresses, paths, archives, aliases.
 *
 * @param name as the registry compares it
 * @param version empty for none
 */
record PackageRun(String name, String version) {

    private static final Pattern NPM =
            Pattern.compile(
                    "(?<name>(?:@[a-z0-9][a-z0-9._-]*/)?[A-Za-z0-9][A-Za-z0-9._-]*)(?:@(?<version>[0-9A-Za-z.^~+*-]+))?");
    private static final Pattern PYPI =
            Pattern.compile(
                    "(?<name>[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)(?:(?:@|==)(?<version>[0-9A-Za-z.+!*-]+))?");
    private static final Pattern FILE =
            Pattern.compile("(?i).*\\.(?:tgz|tar|tar\\.gz|tar\\.bz2|zip|whl|py|pyz)");

    /**
     * How a runner is called.
     *
     * @param verb the words between the runner and its options
     * @param options that do not change which package runs
     * @param python whether it takes packages of PyPI, otherwise of npm
     */
    private record Runner(List<String> verb, Set<String> options, boolean python) {}

    private static final Map<String, Runner> RUNNERS =
            Map.of(
                    "npx", new Runner(List.of(), Set.of("-y", "--yes", "-q", "--quiet"), false),
                    "bunx", new Runner(List.of(), Set.of("--bun", "--silent"), false),
                    "uvx", new Runner(List.of(), Set.of("-q", "--quiet", "--offline"), true),
                    "pipx", new Runner(List.of("run"), Set.of("-q", "--quiet"), true));

    /** Returns whether a rule for this command can limit packages. */
    static boolean isRunner(String command) {
        return RUNNERS.containsKey(base(command));
    }

    static String runners() {
        return "bunx, npx, pipx, uvx";
    }

    /** Returns the package that the words of a command run; empty if it is not known. */
    static Optional<PackageRun> of(List<String> words) {
        Runner runner = RUNNERS.get(base(words.getFirst()));
        int at = 1;
        if (runner == null
                || words.size() < at + runner.verb.size()
                || !words.subList(at, at + runner.verb.size()).equals(runner.verb)) {
            return Optional.empty();
        }
        at += runner.verb.size();
        while (at < words.size() && runner.options.contains(words.get(at))) {
            at++;
        }
        return at < words.size() ? parse(words.get(at), runner.python) : Optional.empty();
    }

    private static Optional<PackageRun> parse(String word, boolean python) {
        Matcher parts = (python ? PYPI : NPM).matcher(word);
        if (FILE.matcher(word).matches() || !parts.matches()) {
            return Optional.empty();
        }
        String version = parts.group("version");
        String name = parts.group("name");
        return Optional.of(
                new PackageRun(python ? normal(name) : name, version == null ? "" : version));
    }

    /** Returns whether a pattern matches. Without a version in the pattern, all versions do. */
    boolean matches(String runner, String pattern) {
        Runner known = RUNNERS.get(base(runner));
        boolean python = known != null && known.python;
        int at = pattern.indexOf('@', 1);
        String wanted = at < 0 ? pattern : pattern.substring(0, at);
        return Glob.matches(python ? normal(wanted) : wanted, name)
                && (at < 0 || pattern.substring(at + 1).equals(version));
    }

    /** PyPI compares names this way. */
    private static String normal(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[-_.]+", "-");
    }

    private static String base(String command) {
        return command.substring(command.lastIndexOf('/') + 1);
    }
}
