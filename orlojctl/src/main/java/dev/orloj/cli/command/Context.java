package dev.orloj.cli.command;

import dev.orloj.api.core.Namespace;
import dev.orloj.cli.http.ApiConnection;
import dev.orloj.cli.http.DocumentClient;
import dev.orloj.cli.http.Follower;
import dev.orloj.cli.http.ServerLocation;
import dev.orloj.cli.kubeconfig.ContextSettings;
import dev.orloj.cli.kubeconfig.Kubeconfig;
import dev.orloj.cli.output.Console;
import dev.orloj.cli.tls.TlsSettings;

import org.jspecify.annotations.Nullable;

import java.io.PrintStream;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The environment of a command: the console, the global options, and the selected server. */
public final class Context {

    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(60);

    private final Console console;
    private final GlobalOptions options;
    private @Nullable ApiConnection connection;
    private @Nullable Optional<ContextSettings> settings;
    private boolean isOwn;

    public Context(Console console, GlobalOptions options) {
        this.console = console;
        this.options = options;
    }

    public Console console() {
        return console;
    }

    public PrintStream out() {
        return console.out();
    }

    public PrintStream err() {
        return console.err();
    }

    /** Returns the namespace of the option, of the context, or the default namespace. */
    public String namespace() {
        return options.namespace
                .get()
                .or(() -> settings().map(ContextSettings::namespace).filter(n -> !n.isEmpty()))
                .orElse(Namespace.DEFAULT);
    }

    /** Returns the server of the option. */
    public Optional<String> namedServer() {
        return options.server.get();
    }

    /**
     * Returns the configuration, which is shared with kubectl.
     *
     * @throws IllegalArgumentException when it cannot be read
     */
    public Kubeconfig kubeconfig() {
        return Kubeconfig.load(options.kubeconfig.get(), console.environment());
    }

    /**
     * Returns the settings of the context. The options {@code --context} and {@code --kubeconfig}
     * win over the variables with a server; a server of another source has no settings of a
     * context. A given token replaces the credentials of the context: orlojd would authenticate a
     * client certificate, and ignore the token beside it.
     */
    private Optional<ContextSettings> settings() {
        Optional<ContextSettings> known = settings;
        if (known == null) {
            boolean isNamed = options.context.get().or(options.kubeconfig::get).isPresent();
            try {
                Optional<ServerLocation> chosen = chosenServer();
                if (isNamed || chosen.isEmpty()) {
                    known =
                            ContextSettings.find(
                                    options.kubeconfig.get(),
                                    console.environment(),
                                    options.context.orElse(""),
                                    givenToken().isEmpty());
                } else {
                    known = own(chosen.get());
                    isOwn = known.isPresent();
                }
            } catch (IllegalArgumentException e) {
                throw new CommandException(String.valueOf(e.getMessage()));
            }
            settings = known;
        }
        return known;
    }

    /** Returns what the owner of the orlojd behind an HTTP port may use instead of a token. */
    private Optional<ContextSettings> own(ServerLocation chosen) {
        return chosen.isHttps() || !chosen.isLoopback() || givenToken().isPresent()
                ? Optional.empty()
                : ContextSettings.ofHttpPort(chosen.url(), console.environment());
    }

    private Optional<ServerLocation> chosenServer() {
        try {
            return ServerLocation.chosen(options.server.get(), console.environment());
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    private ServerLocation location() {
        Optional<ContextSettings> used = settings();
        if (used.isEmpty() || options.server.get().isPresent() && !isOwn) {
            return ServerLocation.find(options.server.get(), console.environment());
        }
        return ServerLocation.of(used.get().server(), used.get().origin());
    }

    public Optional<String> namedNamespace() {
        return options.namespace.get();
    }

    public ApiConnection connection() {
        ApiConnection opened = connection;
        if (opened == null) {
            try {
                opened =
                        new ApiConnection(
                                location(),
                                token(),
                                options.requestTimeout.duration().orElse(REQUEST_TIMEOUT),
                                warning -> err().println("Warning: " + warning),
                                settings().map(ContextSettings::tls).orElse(TlsSettings.DEFAULT));
            } catch (IllegalArgumentException e) {
                throw new UsageException(String.valueOf(e.getMessage()));
            }
            connection = opened;
        }
        return opened;
    }

    private Optional<String> token() {
        return givenToken().or(() -> settings().flatMap(ContextSettings::token));
    }

    private Optional<String> givenToken() {
        Map<String, String> environment = console.environment();
        return options.token
                .get()
                .or(() -> Optional.ofNullable(environment.get("ORLOJCTL_API_TOKEN")))
                .or(() -> Optional.ofNullable(environment.get("ORLOJ_API_TOKEN")))
                .filter(token -> !token.isBlank());
    }

    /** Returns whether requests prove who one is. */
    public boolean hasCredential() {
        return token().isPresent() || settings().map(ContextSettings::hasCredential).orElse(false);
    }

    /** Returns until when the certificate of this client is valid; empty if it has none. */
    public Optional<Instant> certificateEnd() {
        return token().isPresent()
                ? Optional.empty()
                : settings().flatMap(used -> used.tls().certificateEnd());
    }

    /**
     * Returns where MCP clients on this machine reach the server: without TLS if it has such a
     * port, because few of them can be configured to trust its certificate.
     */
    public URI urlForClients() {
        URI url = connection().server().url();
        return settings()
                .filter(used -> used.server().equals(url.toString()))
                .map(ContextSettings::http)
                .filter(http -> !http.isEmpty())
                .map(URI::create)
                .orElse(url);
    }

    /**
     * Returns the options with which another orlojctl reaches the same server as this one. They
     * have no token: other users of the machine can read the options of a process.
     */
    public List<String> connectionOptions() {
        URI url = connection().server().url();
        return settings()
                .filter(
                        used ->
                                used.server().equals(url.toString())
                                        && (used.hasCredential() || givenToken().isPresent()))
                .map(
                        used ->
                                List.of(
                                        "--kubeconfig",
                                        used.file().toAbsolutePath().toString(),
                                        "--context",
                                        used.name()))
                .orElseGet(() -> List.of("--server", url.toString()));
    }

    public DocumentClient documents() {
        return new DocumentClient(connection());
    }

    public Follower follower() {
        return new Follower(connection(), console.clock());
    }
}
