package dev.orloj.cli;

import dev.orloj.api.ApiException;
import dev.orloj.api.Kind;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.core.Namespace;
import dev.orloj.api.v1.Kinds;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Tool;
import dev.orloj.cli.check.FailOn;
import dev.orloj.cli.check.ReportFormat;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.GlobalOptions;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.http.ConnectionException;
import dev.orloj.cli.resource.ResourceNames;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

import tools.jackson.core.JacksonException;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Prints what may come next on a command line; the scripts of completion call it. Hidden. */
final class CompleteCommand extends Command {

    /** Begins the word under the cursor, which is often empty. */
    private static final String CURSOR = "=";

    private static final Set<String> OF_RESOURCES =
            Set.of(
                    "get",
                    "describe",
                    "delete",
                    "wait",
                    "edit",
                    "patch",
                    "label",
                    "annotate",
                    "scale",
                    "suspend",
                    "resume",
                    "restart",
                    "events",
                    "status",
                    "history");
    private static final Set<String> OF_SERVERS =
            Set.of(
                    "check",
                    "logs",
                    "top",
                    "mcp",
                    "serve",
                    "show-merged",
                    "auth login",
                    "auth logout",
                    "auth status");
    private static final Set<String> OF_CONTEXTS =
            Set.of("use-context", "delete-context", "set-context", "get-contexts");
    private static final Map<String, List<String>> OPTION_VALUES =
            Map.of(
                    "--output",
                            List.of("json", "yaml", "name", "wide", "jsonpath=", "custom-columns="),
                    "--fail-on", FailOn.words(),
                    "--dry-run", List.of("server", "client", "none"),
                    "--cascade", List.of("background", "foreground", "orphan"),
                    "--for", List.of("condition=Ready", "delete"));

    private final TextsOption arguments =
            arguments("0..*", "WORD...", "The words before the cursor, and =WORD under it.");

    CompleteCommand() {
        super("Print what may come next, for the scripts of completion.");
        spec().usageMessage().hidden(true);
    }

    @Override
    public int run(Context context) {
        List<String> words = new ArrayList<>(arguments.get());
        if (words.isEmpty() || !words.getLast().startsWith(CURSOR)) {
            return ExitCode.OK;
        }
        String typed = words.removeLast().substring(CURSOR.length());
        Stream<String> candidates;
        try {
            candidates = candidates(withOptions(context, words), words, typed);
        } catch (ApiException
                | ConnectionException
                | CommandException
                | UsageException
                | JacksonException e) {
            return ExitCode.OK; // a shell has no place for an error
        }
        candidates
                .filter(candidate -> candidate.startsWith(typed))
                .distinct()
                .sorted()
                .forEach(candidate -> context.out().print(candidate + "\n"));
        return ExitCode.OK;
    }

    /** Returns a context with the server and the namespace that the words name. */
    private static Context withOptions(Context context, List<String> words) {
        GlobalOptions global = new GlobalOptions();
        CommandSpec root = CommandSpec.create();
        global.addTo(root);
        try {
            new CommandLine(root)
                    .setUnmatchedArgumentsAllowed(true)
                    .parseArgs(words.toArray(String[]::new));
        } catch (ParameterException e) {
            return context; // an option without its value, at the end
        }
        return new Context(context.console(), global);
    }

    private static Stream<String> candidates(Context context, List<String> words, String typed) {
        CommandSpec spec = root();
        String command = "";
        List<String> positionals = new ArrayList<>();
        Optional<OptionSpec> open = Optional.empty();
        for (String word : words) {
            if (open.isPresent()) {
                open = Optional.empty();
            } else if (word.startsWith("-")) {
                open = option(spec, word).filter(option -> option.arity().max() > 0);
            } else if (positionals.isEmpty() && isCommand(spec, word)) {
                spec = below(spec, word);
                // There is a status of resources, too.
                command = command.equals("auth") ? "auth " + word : word;
            } else {
                positionals.add(word);
            }
        }
        if (open.isPresent()) {
            return command.equals("check") && open.get().longestName().equals("--output")
                    ? ReportFormat.words().stream()
                    : values(context, open.get());
        }
        if (typed.startsWith("-")) {
            return Stream.concat(options(spec), options(root()));
        }
        if (command.isEmpty()) {
            return Verb.ALL.stream()
                    .filter(verb -> !verb.build().get().spec().usageMessage().hidden())
                    .map(Verb::name);
        }
        Stream<String> below =
                positionals.isEmpty() ? spec.subcommands().keySet().stream() : Stream.empty();
        return Stream.concat(below, positional(context, command, positionals, typed));
    }

    private static CommandSpec root() {
        CommandSpec root = CommandSpec.create();
        new GlobalOptions().addTo(root);
        return root;
    }

    private static boolean isCommand(CommandSpec spec, String word) {
        return spec.subcommands().containsKey(word)
                || (!(spec.userObject() instanceof Command)
                        && Verb.ALL.stream().anyMatch(verb -> verb.name().equals(word)));
    }

    private static CommandSpec below(CommandSpec spec, String word) {
        CommandLine below = spec.subcommands().get(word);
        return below != null
                ? below.getCommandSpec()
                : Verb.ALL.stream()
                        .filter(verb -> verb.name().equals(word))
                        .findFirst()
                        .orElseThrow()
                        .build()
                        .get()
                        .spec();
    }

    /** Finds an option that the word is; one with {@code =} in it has its value already. */
    private static Optional<OptionSpec> option(CommandSpec spec, String word) {
        return Stream.of(spec, root())
                .map(one -> one.optionsMap().get(word))
                .filter(found -> found != null)
                .findFirst();
    }

    private static Stream<String> options(CommandSpec spec) {
        return spec.optionsMap().keySet().stream().filter(name -> name.startsWith("--"));
    }

    private static Stream<String> values(Context context, OptionSpec option) {
        String name = option.longestName();
        return switch (name) {
            case "--namespace" -> ResourceNames.of(context, Namespace.KIND, "").stream();
            case "--context" -> contexts(context);
            default -> OPTION_VALUES.getOrDefault(name, List.of()).stream();
        };
    }

    private static Stream<String> contexts(Context context) {
        try {
            return context.kubeconfig().names("contexts").stream();
        } catch (IllegalArgumentException e) {
            return Stream.empty();
        }
    }

    private static Stream<String> positional(
            Context context, String command, List<String> positionals, String typed) {
        if (OF_RESOURCES.contains(command)) {
            return resources(context, positionals, typed);
        }
        if (OF_SERVERS.contains(command)) {
            return names(context, McpServer.KIND);
        }
        if (OF_CONTEXTS.contains(command)) {
            return positionals.isEmpty() ? contexts(context) : Stream.empty();
        }
        return switch (command) {
            case "call" -> positionals.isEmpty() ? names(context, Tool.KIND) : Stream.empty();
            case "explain", "schema" -> kinds();
            case "completion" -> CompletionCommand.SHELLS.stream();
            default -> Stream.empty();
        };
    }

    private static Stream<String> resources(
            Context context, List<String> positionals, String typed) {
        int slash = typed.indexOf('/');
        if (slash > 0) {
            String word = typed.substring(0, slash);
            return Kinds.SCHEME
                    .findName(word)
                    .map(kind -> names(context, kind.kind()).map(name -> word + "/" + name))
                    .orElseGet(Stream::empty);
        }
        if (positionals.isEmpty()) {
            return kinds();
        }
        return Kinds.SCHEME
                .findName(positionals.getFirst())
                .map(kind -> names(context, kind.kind()))
                .orElseGet(Stream::empty);
    }

    private static Stream<String> kinds() {
        return Kinds.SCHEME.storedKinds().stream().map(KindDescriptor::kind).map(Kind::plural);
    }

    private static Stream<String> names(Context context, Kind<?> kind) {
        String namespace = kind.namespaced() ? context.namespace() : "";
        return ResourceNames.of(context, kind, namespace).stream();
    }
}
