package dev.orloj.api.ledger;

import tools.jackson.databind.JsonNode;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The arguments of a server, and the package that they run. What may be a secret is {@code ***}: a
 * value after an option named like one, a long random text, and all of a URL but its origin.
 */
record CommandLine(
        List<String> arguments, Optional<String> packageName, Optional<String> packageVersion) {

    private static final String HIDDEN = "***";
    private static final Set<String> RUNNERS = Set.of("npx", "bunx", "pnpx", "uvx", "pipx");
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
                        : origin.map(text -> text.substring(at).replaceFirst("^(@|==)", "")));
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
