package dev.orloj.server.options;

import dev.orloj.api.GoDuration;
import dev.orloj.server.properties.ReplicaProperties;
import dev.orloj.server.properties.TelemetryProperties;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The command line of orlojd. Each option overrides one property. */
@Command(
        name = "orlojd",
        description = "The control plane for MCP servers.",
        sortOptions = false,
        usageHelpAutoWidth = true,
        footer = {
            "",
            "Without --database-url, orlojd runs a PostgreSQL of its own in the data directory.",
            "Each option can also be given in the environment, such as ORLOJ_DATA_DIR.",
        })
public final class OrlojdOptions {

    private static final List<String> LOG_LEVELS = List.of("error", "warn", "info", "debug");

    @Spec private @Nullable CommandSpec spec;

    @Option(
            names = "--port",
            paramLabel = "N",
            description = "TCP port; 0 picks a free one. Default: 8080.")
    private @Nullable Integer port;

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            description = "Address to listen on. Default: 127.0.0.1.")
    private @Nullable String host;

    @Option(
            names = "--insecure-remote-access",
            description =
                    "Listen on an address that is not loopback, although nothing is authenticated.")
    private boolean insecureRemoteAccess;

    @Option(
            names = "--advertise-url",
            paramLabel = "URL",
            description =
                    "Where other replicas reach this one, such as http://10.0.0.5:8080, or none."
                            + " Default: the address that it listens on.")
    private @Nullable String advertiseUrl;

    @Option(
            names = "--expose-sse",
            description =
                    "Serve every MCP endpoint over HTTP+SSE, too, for agents that know nothing"
                            + " newer than 2024-11-05.")
    private boolean exposeSse;

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "Where orlojd keeps its files. Default: ~/.local/share/orloj.")
    private @Nullable Path dataDir;

    @Option(
            names = "--database-url",
            paramLabel = "URL",
            description = "JDBC URL of a PostgreSQL to use, such as jdbc:postgresql://db/orloj.")
    private @Nullable String databaseUrl;

    @Option(names = "--database-user", paramLabel = "NAME", description = "User of that database.")
    private @Nullable String databaseUser;

    @Option(
            names = "--database-password-file",
            paramLabel = "FILE",
            description = "File whose content is that user's password.")
    private @Nullable Path databasePasswordFile;

    @Option(
            names = "--secret-key-file",
            paramLabel = "FILE",
            description =
                    "File with the base64 key (32 bytes) that Secrets are encrypted with."
                            + " Default: made in the data directory on the first start.")
    private @Nullable Path secretKeyFile;

    @Option(
            names = "--resync-period",
            paramLabel = "DURATION",
            description = "How often the tools of connected servers are listed again. Default: 5m.")
    private @Nullable String resyncPeriod;

    @Option(
            names = "--event-ttl",
            paramLabel = "DURATION",
            description = "How long an event is kept after it last happened. Default: 1h.")
    private @Nullable String eventTtl;

    @Option(
            names = "--log-level",
            paramLabel = "LEVEL",
            description = "error, warn, info or debug. Default: info.")
    private @Nullable String logLevel;

    @Option(
            names = "--log-format",
            paramLabel = "FORMAT",
            description = "text, or json: one object a line, with ECS names. Default: text.")
    private @Nullable String logFormat;

    @Option(
            names = "--otlp-endpoint",
            paramLabel = "URL",
            description =
                    "Collector of OpenTelemetry for traces and metrics, over HTTP, such as"
                            + " http://localhost:4318. Default: none.")
    private @Nullable String otlpEndpoint;

    @Mixin private ProcessOptions processes = new ProcessOptions();

    @Mixin private EndpointOptions endpoints = new EndpointOptions();

    @Mixin private ContainerOptions containers = new ContainerOptions();

    @Option(names = "--print-config", description = "Print the effective configuration and exit.")
    private boolean printConfig;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this help and exit.")
    private boolean help;

    @Option(names = "--version", versionHelp = true, description = "Print the version and exit.")
    private boolean version;

    private OrlojdOptions() {}

    /** The result of parsing a command line. */
    public sealed interface Parsed {

        /** Start, with these properties. */
        record Run(Map<String, Object> properties, boolean printConfig) implements Parsed {}

        /** Exit: nothing more to do. */
        record Exit(int code) implements Parsed {}
    }

    /** Parses the command line; prints help, version or what is wrong with it. */
    public static Parsed parse(String... args) {
        OrlojdOptions options = new OrlojdOptions();
        CommandLine commandLine = new CommandLine(options);
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        commandLine.getCommandSpec().version("orlojd " + ServerVersion.CURRENT.number());
        try {
            CommandLine.ParseResult result = commandLine.parseArgs(args);
            if (CommandLine.printHelpIfRequested(result)) {
                return new Parsed.Exit(0);
            }
            return new Parsed.Run(options.properties(), options.printConfig);
        } catch (ParameterException e) {
            commandLine.getErr().println("orlojd: " + e.getMessage());
            if (!CommandLine.UnmatchedArgumentException.printSuggestions(e, commandLine.getErr())) {
                commandLine.getErr().println("Try \"orlojd --help\".");
            }
            return new Parsed.Exit(2);
        }
    }

    private Map<String, Object> properties() {
        Map<String, Object> properties = new LinkedHashMap<>();
        put(properties, "server.port", checkedPort());
        put(properties, "server.address", host);
        if (insecureRemoteAccess) {
            properties.put("orloj.security.insecure-remote-access", true);
        } else if (host != null) {
            requireLoopback(host);
        }
        put(properties, "orloj.replica.advertise-url", checkedAdvertiseUrl());
        if (exposeSse) {
            properties.put("orloj.mcp.expose-sse", true);
        }
        put(properties, "orloj.data-dir", dataDir);
        put(properties, "orloj.database.url", databaseUrl);
        put(properties, "orloj.database.user", databaseUser);
        put(
                properties,
                "orloj.database.password-file",
                readable("--database-password-file", databasePasswordFile));
        put(properties, "orloj.secrets.key-file", readable("--secret-key-file", secretKeyFile));
        put(
                properties,
                "orloj.controllers.resync-period",
                duration("--resync-period", resyncPeriod));
        put(properties, "orloj.controllers.event-ttl", duration("--event-ttl", eventTtl));
        put(properties, "logging.level.dev.orloj", checkedLogLevel());
        put(properties, "logging.structured.format.console", structuredFormat());
        put(properties, "orloj.telemetry.otlp-endpoint", checkedCollector());
        processes.addTo(properties);
        endpoints.addTo(properties);
        containers.addTo(properties);
        checkDatabaseUrl();
        return properties;
    }

    private static void put(Map<String, Object> properties, String name, @Nullable Object value) {
        if (value != null) {
            properties.put(name, value.toString());
        }
    }

    private @Nullable Integer checkedPort() {
        if (port != null && (port < 0 || port > 65_535)) {
            throw error("--port %d is no TCP port; give one of 0 to 65535".formatted(port));
        }
        return port;
    }

    private @Nullable String checkedAdvertiseUrl() {
        if (advertiseUrl != null && !ReplicaProperties.isAdvertisable(advertiseUrl)) {
            throw error(
                    "--advertise-url \"%s\": expected an http or https URL such as http://10.0.0.5:8080, or none"
                            .formatted(advertiseUrl));
        }
        return advertiseUrl;
    }

    private @Nullable String checkedLogLevel() {
        if (logLevel != null && !LOG_LEVELS.contains(logLevel)) {
            throw error(
                    "--log-level \"%s\": expected one of %s"
                            .formatted(logLevel, String.join(", ", LOG_LEVELS)));
        }
        return logLevel;
    }

    private @Nullable String structuredFormat() {
        return switch (logFormat) {
            case null -> null;
            case "json" -> "ecs";
            case "text" -> "";
            default ->
                    throw error("--log-format \"%s\": expected text or json".formatted(logFormat));
        };
    }

    private @Nullable String checkedCollector() {
        if (otlpEndpoint != null && !TelemetryProperties.isCollector(otlpEndpoint)) {
            throw error(
                    "--otlp-endpoint \"%s\": expected an http or https URL such as http://localhost:4318"
                            .formatted(otlpEndpoint));
        }
        return otlpEndpoint;
    }

    private void requireLoopback(String address) {
        try {
            if (!InetAddress.getByName(address).isLoopbackAddress()) {
                throw error(
                        "--host %s is reachable from other machines, and nothing is authenticated yet; add --insecure-remote-access if you mean it"
                                .formatted(address));
            }
        } catch (UnknownHostException e) {
            throw error("--host \"%s\" is no address of this machine".formatted(address));
        }
    }

    private @Nullable Path readable(String option, @Nullable Path file) {
        if (file != null && !Files.isReadable(file)) {
            throw error("%s: \"%s\" cannot be read".formatted(option, file));
        }
        return file;
    }

    private @Nullable Duration duration(String option, @Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            Duration period = new GoDuration(text).toDuration();
            if (period.compareTo(Duration.ofSeconds(1)) < 0) {
                throw error("%s %s is too short; give at least 1s".formatted(option, text));
            }
            return period;
        } catch (IllegalArgumentException e) {
            throw error("%s \"%s\": %s".formatted(option, text, e.getMessage()));
        }
    }

    private void checkDatabaseUrl() {
        if (databaseUrl != null && !databaseUrl.startsWith("jdbc:postgresql:")) {
            throw error(
                    "--database-url \"%s\" must start with jdbc:postgresql:"
                            .formatted(databaseUrl.replaceAll("password=[^&]*", "password=***")));
        }
    }

    private ParameterException error(String message) {
        if (spec == null) {
            throw new IllegalStateException("not parsed by picocli");
        }
        return new ParameterException(spec.commandLine(), message);
    }
}
