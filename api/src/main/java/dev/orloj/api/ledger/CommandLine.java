package dev.orloj.api.ledger;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The arguments of a server, and the package or program that they run. What may be a secret is
 * {@code ***}: a value after an option named like one, a long random text, and all of a URL but its
 * origin.
 *
 * @param packageName empty if the command installs no package
 * @param packageVersion empty if the arguments have none
 * @param program the file whose code runs: the script of an interpreter, else the command; empty if
 *     there is none, or if it cannot be seen, as with {@code docker}
 */
public record CommandLine(
        List<String> arguments,
        Optional<String> packageName,
        Optional<String> packageVersion,
        Optional<String> program) {

    private static final String HIDDEN = "***";
    private static final Set<String> RUNNERS = Set.of("npx", "bunx", "pnpx", "uvx", "pipx");

    /** Their code comes with the first argument that is no option. */
    private static final Pattern INTERPRETER =
            Pattern.compile(
                    "python[0-9.]*|pypy[0-9.]*|node|nodejs|deno|bun|ruby|perl|php|sh|bash|dash|zsh|java");

    /** They run what they find or download, and no file that the arguments name. */
    private static final Set<String> LAUNCHERS =
            Set.of(
                    "docker", "podman", "nerdctl", "kubectl", "ssh", "env", "sudo", "uv", "npm",
                    "pnpm", "yarn", "poetry", "pipenv", "hatch", "nix", "dotnet", "go", "cargo");

    /** An interpreter with one of them runs no file. */
    private static final Set<String> NO_FILE =
            Set.of("-m", "-c", "-e", "-cp", "-classpath", "--eval");

    private static final Set<String> PACKAGE_OPTIONS = Set.of("-p", "--package", "--from");

    private static final Pattern SECRET_NAME =
            Pattern.compile(
                    "token|secret|passw|pwd|key|auth|credential|cookie|header|dsn|connection",
                    Pattern.CASE_INSENSITIVE);

    /** At least 20 characters, with a digit and a letter. */
    private static final Pattern RANDOM =
            Pattern.compile("(?=.*[0-9])(?=.*[A-Za-z])[A-Za-z0-9+=_-]{20,}");

    private static final Pattern URL = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://.*");

    /**
     * @param spec of an McpServer
     */
    static CommandLine of(JsonNode spec) {
        List<String> plain = new ArrayList<>();
        spec.path("args").forEach(argument -> plain.add(argument.asString("")));
        List<String> shown = new ArrayList<>();
        boolean hides = false;
        for (String argument : plain) {
            shown.add(hides && !isOption(argument) ? HIDDEN : shown(argument));
            hides =
                    isOption(argument)
                            && argument.indexOf('=') < 0
                            && SECRET_NAME.matcher(argument).find();
        }
        Optional<String> origin = packageOf(spec.path("command").asString(""), plain);
        int at = origin.map(CommandLine::versionStart).orElse(-1);
        return new CommandLine(
                shown,
                origin.map(text -> at < 0 ? text : text.substring(0, at)),
                at < 0
                        ? Optional.empty()
                        : origin.map(text -> text.substring(at).replaceFirst("^(@|==)", "")),
                program(spec.path("command").asString(""), plain));
    }

    /**
     * @param command a program and its arguments
     */
    public static CommandLine of(List<String> command) {
        ObjectNode spec = Json.MAPPER.createObjectNode().put("command", command.getFirst());
        command.stream().skip(1).forEach(spec.putArray("args")::add);
        return of(spec);
    }

    /** Returns what the manifest names: the command, and its package or script. */
    public static String named(List<String> command) {
        CommandLine line = of(command);
        String what =
                line.packageName()
                        .map(name -> name + line.packageVersion().map("@"::concat).orElse(""))
                        .or(line::program)
                        .filter(text -> !text.equals(command.getFirst()))
                        .map(text -> " " + shown(text))
                        .orElse("");
        return command.getFirst() + what;
    }

    private static Optional<String> program(String command, List<String> arguments) {
        String name = command.substring(command.lastIndexOf('/') + 1);
        if (name.isEmpty() || RUNNERS.contains(name) || LAUNCHERS.contains(name)) {
            return Optional.empty();
        }
        if (!INTERPRETER.matcher(name).matches()) {
            return Optional.of(command);
        }
        for (String argument : arguments) {
            if (NO_FILE.contains(argument)) {
                return Optional.empty();
            }
            if (!isOption(argument) && !argument.equals("run")) {
                return Optional.of(argument);
            }
        }
        return Optional.empty();
    }

    private static boolean isOption(String argument) {
        return argument.startsWith("-");
    }

    private static String shown(String argument) {
        int equal = argument.indexOf('=');
        if (equal > 0 && !URL.matcher(argument).matches()) {
            String name = argument.substring(0, equal + 1);
            String value = argument.substring(equal + 1);
            return name + (SECRET_NAME.matcher(name).find() ? HIDDEN : shownValue(value));
        }
        return shownValue(argument);
    }

    private static String shownValue(String value) {
        if (URL.matcher(value).matches()) {
            String origin = origin(value);
            return origin.equals(value) ? value : origin + "/" + HIDDEN;
        }
        return RANDOM.matcher(value).matches() ? HIDDEN : value;
    }

    /** Returns the scheme, host and port of a URL, without a user, path or query. */
    static String origin(String url) {
        try {
            URI uri = new URI(url);
            String host = uri.getHost() == null ? HIDDEN : uri.getHost().toLowerCase(Locale.ROOT);
            return uri.getScheme() + "://" + host + (uri.getPort() < 0 ? "" : ":" + uri.getPort());
        } catch (URISyntaxException e) {
            return HIDDEN;
        }
    }

    private static Optional<String> packageOf(String command, List<String> arguments) {
        String program = command.substring(command.lastIndexOf('/') + 1);
        if (!RUNNERS.contains(program)) {
            return Optional.empty();
        }
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (PACKAGE_OPTIONS.contains(argument) && i + 1 < arguments.size()) {
                return Optional.of(arguments.get(i + 1));
            }
            int equal = argument.indexOf('=');
            if (equal > 0 && PACKAGE_OPTIONS.contains(argument.substring(0, equal))) {
                return Optional.of(argument.substring(equal + 1));
            }
            if (!isOption(argument) && !(program.equals("pipx") && argument.equals("run"))) {
                return Optional.of(argument);
            }
        }
        return Optional.empty();
    }

    private static int versionStart(String text) {
        int python = text.indexOf("==");
        return python > 0 ? python : text.indexOf('@', 1);
    }
}
