package dev.orloj.server.options;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The command line of orlojd. */
public final class OrlojdOptions {

    private static final String PRINT_CONFIG = "--print-config";

    /** Variables of options whose property is one of Spring: it does not read the variable. */
    private static final Map<String, String> VARIABLES =
            Map.of("--log-level", "ORLOJ_LOG_LEVEL", "--log-format", "ORLOJ_LOG_FORMAT");

    private OrlojdOptions() {}

    /** The result of parsing a command line. */
    public sealed interface Parsed {

        /** Start, with these properties. */
        record Run(Map<String, Object> properties, boolean printConfig) implements Parsed {}

        /** Exit: nothing more to do. */
        record Exit(int code) implements Parsed {}
    }

    /**
     * Parses the command line; prints help, version or what is wrong with it.
     *
     * @param environment values of options that the command line does not give and that Spring does
     *     not read from the environment
     */
    public static Parsed parse(Map<String, String> environment, String... args) {
        CommandLine commandLine = new CommandLine(spec());
        try {
            ParseResult result = commandLine.parseArgs(args);
            if (CommandLine.printHelpIfRequested(result)) {
                return new Parsed.Exit(0);
            }
            return new Parsed.Run(
                    properties(result, environment), result.hasMatchedOption(PRINT_CONFIG));
        } catch (ParameterException e) {
            commandLine.getErr().println("orlojd: " + e.getMessage());
            if (!CommandLine.UnmatchedArgumentException.printSuggestions(e, commandLine.getErr())) {
                commandLine.getErr().println("Try \"orlojd --help\".");
            }
            return new Parsed.Exit(2);
        }
    }

    private static CommandSpec spec() {
        CommandSpec spec =
                CommandSpec.create()
                        .name("orlojd")
                        .version("orlojd " + ServerVersion.CURRENT.number());
        spec.usageMessage()
                .description("The control plane for MCP servers.")
                .sortOptions(false)
                .autoWidth(true)
                .footer(
                        "",
                        "Without --database-url, orlojd runs a PostgreSQL of its own in the data"
                                + " directory.",
                        "Each option can also be given in the environment, such as"
                                + " ORLOJ_DATA_DIR.");
        Settings.ALL.forEach(setting -> spec.addOption(setting.spec()));
        return spec.addOption(
                        OptionSpec.builder(PRINT_CONFIG)
                                .type(boolean.class)
                                .description("Print the effective configuration and exit.")
                                .build())
                .addOption(
                        OptionSpec.builder("-h", "--help")
                                .usageHelp(true)
                                .description("Print this help and exit.")
                                .build())
                .addOption(
                        OptionSpec.builder("--version")
                                .versionHelp(true)
                                .description("Print the version and exit.")
                                .build());
    }

    private static Map<String, Object> properties(
            ParseResult result, Map<String, String> environment) {
        Map<String, Object> properties = new LinkedHashMap<>();
        for (Setting setting : Settings.ALL) {
            try {
                value(setting, result, environment)
                        .ifPresent(value -> properties.put(setting.property(), value));
            } catch (IllegalArgumentException e) {
                throw error(result, String.valueOf(e.getMessage()));
            }
        }
        String host = result.matchedOptionValue(Settings.HOST.option(), "");
        if (!host.isEmpty() && !result.hasMatchedOption(Settings.INSECURE_REMOTE_ACCESS.option())) {
            requireLoopback(result, host);
        }
        return properties;
    }

    private static Optional<Object> value(
            Setting setting, ParseResult result, Map<String, String> environment) {
        if (result.hasMatchedOption(setting.option())) {
            return Optional.of(setting.value(result.matchedOptionValue(setting.option(), "")));
        }
        return Optional.ofNullable(VARIABLES.get(setting.option()))
                .filter(variable -> !environment.getOrDefault(variable, "").isBlank())
                .map(
                        variable ->
                                setting.check()
                                        .value(variable, environment.getOrDefault(variable, "")));
    }

    private static void requireLoopback(ParseResult result, String address) {
        try {
            if (!InetAddress.getByName(address).isLoopbackAddress()) {
                throw error(
                        result,
                        "--host %s is reachable from other machines, and the HTTP port does not encrypt; use --https-host instead, or add --insecure-remote-access if you mean it"
                                .formatted(address));
            }
        } catch (UnknownHostException e) {
            throw error(result, "--host \"%s\" is no address of this machine".formatted(address));
        }
    }

    private static ParameterException error(ParseResult result, String message) {
        return new ParameterException(result.commandSpec().commandLine(), message);
    }
}
