package dev.orloj.cli;

import dev.orloj.api.ApiException;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.GlobalOptions;
import dev.orloj.cli.command.Suggestions;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.http.ConnectionException;
import dev.orloj.cli.output.Console;
import dev.orloj.cli.resource.NameGuess;

import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

import tools.jackson.core.JacksonException;

import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The command line: finds the verb, reads its options, runs it, and turns every failure into one
 * line and an exit code.
 */
public final class Orlojctl {

    private static final int HELP_WIDTH = 100;
    private static final int MIN_HELP_WIDTH = 60;

    static {
        // Options are texts here; what picocli would prepare for others costs every command 5 ms.
        System.setProperty("picocli.disable.closures", "true");
        System.setProperty("picocli.converters.excludes", "java.*");
    }

    private Orlojctl() {}

    /**
     * Runs one command; 0 is success, 1 failure, 2 wrong usage, 3 a tool's own error, 4 a timeout,
     * 5 findings of a check.
     */
    public static int run(Console console, String... args) {
        // Building one command takes a millisecond, building all of them takes thirty.
        List<Verb> wanted = Verb.mentionedIn(args);
        if (wanted.isEmpty()) {
            return run(console, Verb.ALL, args);
        }
        try {
            return run(console, wanted, args);
        } catch (ParameterException e) {
            return run(console, Verb.ALL, args);
        }
    }

    private static int run(Console console, List<Verb> verbs, String... args) {
        GlobalOptions global = new GlobalOptions();
        CommandLine line = build(console, global, verbs);
        ParseResult result;
        try {
            result = line.parseArgs(args);
        } catch (ParameterException e) {
            if (verbs.size() < Verb.ALL.size()) {
                throw e; // once more with all of them, which the suggestions are taken from
            }
            return usageError(console, e.getCommandLine().getCommandSpec(), explain(e));
        }
        while (result.hasSubcommand()) {
            result = result.subcommand();
        }
        CommandSpec spec = result.commandSpec();
        if (result.isUsageHelpRequested() || !(spec.userObject() instanceof Command command)) {
            return showHelp(console, spec, result.isUsageHelpRequested());
        }
        Optional<String> empty = emptyValue(result);
        return empty.isPresent()
                ? usageError(console, spec, empty.get())
                : run(console, new Context(console, global), spec, command);
    }

    /** A variable of the shell that is not set must not mean everything. */
    private static Optional<String> emptyValue(ParseResult result) {
        return Stream.concat(result.matchedOptions().stream(), result.matchedPositionals().stream())
                .filter(arg -> !GlobalOptions.mayBeEmpty(arg))
                .filter(arg -> arg.stringValues().stream().anyMatch(String::isBlank))
                .findFirst()
                .map(
                        arg ->
                                "%s is empty: give a value%s"
                                        .formatted(
                                                arg instanceof OptionSpec option
                                                        ? option.longestName()
                                                        : arg.paramLabel(),
                                                arg instanceof OptionSpec
                                                        ? ", or leave it out"
                                                        : ""));
    }

    private static CommandLine build(Console console, GlobalOptions global, List<Verb> verbs) {
        CommandSpec root = CommandSpec.create().name("orlojctl");
        root.usageMessage()
                .description("Controls MCP servers and the tools made from them.")
                .abbreviateSynopsis(true)
                .sortOptions(false)
                .footer(
                        "",
                        "Start with:  orlojctl apply -f server.yaml",
                        "             orlojctl get mcpservers",
                        "             orlojctl call TOOL --arg message=hello",
                        "Exit codes:  0 done, 1 failed, 2 wrong usage, 3 the tool answered with an"
                                + " error, 4 not in time, 5 a check found something.");
        global.addTo(root);
        for (Verb verb : verbs) {
            root.addSubcommand(verb.name(), verb.build().get().spec());
        }
        return new CommandLine(root).setUsageHelpWidth(helpWidth(console));
    }

    /** Returns the width of the terminal, within limits. */
    private static int helpWidth(Console console) {
        int width = console.wantedWidth() > 0 ? console.wantedWidth() : console.width();
        return width > 0 ? Math.clamp(width, MIN_HELP_WIDTH, HELP_WIDTH) : HELP_WIDTH;
    }

    private static int showHelp(Console console, CommandSpec spec, boolean asked) {
        PrintWriter out = new PrintWriter(asked ? console.out() : console.err(), false);
        // A terminal shows the escape sequences of colors as text: see Console.
        spec.commandLine().usage(out, CommandLine.Help.Ansi.OFF);
        out.flush();
        return asked ? ExitCode.OK : ExitCode.USAGE;
    }

    private static int run(Console console, Context context, CommandSpec spec, Command command) {
        try {
            return command.run(context);
        } catch (UsageException e) {
            return usageError(console, spec, e.getMessage());
        } catch (CommandException e) {
            failure(console, e.getMessage());
            return e.exitCode();
        } catch (ConnectionException e) {
            return failure(console, e.getMessage());
        } catch (ApiException e) {
            return failure(console, NameGuess.explain(context, e));
        } catch (JacksonException e) {
            return failure(
                    console,
                    "the server at %s gave an answer that is no JSON; is it orlojd?"
                            .formatted(context.connection().server()));
        } catch (RuntimeException e) {
            return failure(
                    console,
                    "unexpected %s; please report it: %s"
                            .formatted(e.getClass().getSimpleName(), e.getMessage()));
        }
    }

    private static int failure(Console console, String message) {
        console.out().flush();
        console.err().println("orlojctl: " + message.strip());
        return ExitCode.FAILED;
    }

    private static int usageError(Console console, CommandSpec spec, String message) {
        console.out().flush();
        console.err().println("orlojctl: " + message);
        if (spec.parent() != null) {
            CommandLine.Help.ColorScheme plain =
                    CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF);
            String synopsis =
                    spec.commandLine()
                            .setColorScheme(plain)
                            .getHelp()
                            .abbreviatedSynopsis()
                            .strip();
            console.err().println("Usage: " + synopsis);
        }
        console.err().println("See '" + spec.qualifiedName() + " --help'.");
        return ExitCode.USAGE;
    }

    private static String explain(ParameterException e) {
        CommandSpec spec = e.getCommandLine().getCommandSpec();
        // Also where something else is missing: it may be missing because of a typing error.
        List<String> unmatched = e.getCommandLine().getUnmatchedArguments();
        if (!unmatched.isEmpty()) {
            String word = unmatched.getFirst();
            boolean isOption = word.startsWith("-");
            Optional<String> guess = isOption ? option(word, spec) : argument(word, spec);
            String what =
                    isOption
                            ? "unknown option"
                            : spec.subcommands().isEmpty()
                                    ? "unexpected argument"
                                    : "unknown command";
            return "%s \"%s\"%s"
                    .formatted(
                            what, word, guess.map("; did you mean \"%s\"?"::formatted).orElse(""));
        }
        if (e instanceof MissingParameterException missing && !missing.getMissing().isEmpty()) {
            return missing(spec, missing.getMissing());
        }
        String message = String.valueOf(e.getMessage());
        return Character.toLowerCase(message.charAt(0)) + message.substring(1).replace('\n', ' ');
    }

    private static String missing(CommandSpec spec, List<ArgSpec> missing) {
        ArgSpec first = missing.getFirst();
        return first instanceof OptionSpec option
                ? option.longestName() + " needs " + option.paramLabel()
                : spec.qualifiedName().replaceFirst("^orlojctl ", "")
                        + " needs "
                        + first.paramLabel();
    }

    /** Returns the closest option, or else the only one that begins with the word. */
    private static Optional<String> option(String word, CommandSpec spec) {
        List<String> names = longNames(spec);
        List<String> longer = names.stream().filter(name -> name.startsWith(word)).toList();
        return Suggestions.closest(word, names)
                .or(() -> longer.size() == 1 ? Optional.of(longer.getFirst()) : Optional.empty());
    }

    private static Optional<String> argument(String word, CommandSpec spec) {
        if (word.indexOf('=') > 0 && spec.optionsMap().containsKey("--arg")) {
            return Optional.of("--arg " + word);
        }
        return spec.optionsMap().containsKey("--kustomize") && spec.positionalParameters().isEmpty()
                ? Optional.of("-f " + word)
                : Suggestions.closest(word, spec.subcommands().keySet());
    }

    /** Letters are too short for a guess. */
    private static List<String> longNames(CommandSpec spec) {
        return spec.optionsMap().keySet().stream().filter(name -> name.startsWith("--")).toList();
    }
}
