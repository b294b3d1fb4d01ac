package dev.orloj.cli.command;

import dev.orloj.api.core.Namespace;
import dev.orloj.cli.http.ApiConnection;
import dev.orloj.cli.http.DocumentClient;
import dev.orloj.cli.http.Follower;
import dev.orloj.cli.http.ServerLocation;
import dev.orloj.cli.output.Console;

import org.jspecify.annotations.Nullable;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** The environment of a command: the console, the global options, and the selected server. */
public final class Context {

    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(60);

    private final Console console;
    private final GlobalOptions options;
    private @Nullable ApiConnection connection;

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

    /** Returns the namespace of the option, or the default namespace. */
    public String namespace() {
        return options.namespace.orElse(Namespace.DEFAULT);
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
                                ServerLocation.find(options.server.get(), console.environment()),
                                token(),
                                options.requestTimeout.duration().orElse(REQUEST_TIMEOUT),
                                warning -> err().println("Warning: " + warning));
            } catch (IllegalArgumentException e) {
                throw new UsageException(String.valueOf(e.getMessage()));
            }
            connection = opened;
        }
        return opened;
    }

    private Optional<String> token() {
        Map<String, String> environment = console.environment();
        return options.token
                .get()
                .or(() -> Optional.ofNullable(environment.get("ORLOJCTL_API_TOKEN")))
                .or(() -> Optional.ofNullable(environment.get("ORLOJ_API_TOKEN")))
                .filter(token -> !token.isBlank());
    }

    public DocumentClient documents() {
        return new DocumentClient(connection());
    }

    public Follower follower() {
        return new Follower(connection(), console.clock());
    }
}
