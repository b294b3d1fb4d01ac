package dev.orloj.cli.auth;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.oauth.LoginUrl;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.output.Text;
import dev.orloj.cli.resource.Targets;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/** Logs a user in at the authorization server of an McpServer, in a browser. */
final class LoginCommand extends Command {

    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private final TextsOption arguments = arguments("1", "SERVER", "An McpServer, such as crm.");
    private final Flag noBrowser = flag("Print the URL only; open no browser.", "--no-browser");
    private final Flag paste =
            flag(
                    "Read the last URL of the browser from stdin, for a browser on"
                            + " another machine.",
                    "--paste");
    private final TextOption redirectPort =
            text(
                    "PORT",
                    "Port of the redirect URI on this machine. Default: the same"
                            + " port for each login at the server, or a free one if it is"
                            + " taken.",
                    "--redirect-port");
    private final TextOption timeout =
            text("TIME", "Maximum time to wait for the browser. Default: 5m.", "--timeout");

    LoginCommand() {
        super(
                "Log in at the authorization server of an McpServer, in a browser.",
                "orlojctl auth login crm",
                "orlojctl auth login crm --no-browser --redirect-port 8765",
                "orlojctl auth login crm --paste");
    }

    @Override
    public int run(Context context) {
        ResourceKey server =
                new ResourceKey(
                        context.namespace(), Targets.serverName(arguments.get().getFirst()));
        if (paste.isSet() && timeout.get().isPresent()) {
            throw new UsageException("--timeout is for the browser; --paste waits for you");
        }
        Authorization login = paste.isSet() ? pasting(context, server) : listening(context, server);
        if (!login.isLoggedIn()) {
            throw new CommandException(
                    "%s is not logged in%s"
                            .formatted(
                                    Authorization.name(server),
                                    login.message().isEmpty() ? "" : ": " + login.message()));
        }
        report(context, server, login);
        return ExitCode.OK;
    }

    private Authorization listening(Context context, ResourceKey server) {
        Duration limit = timeout.duration().orElse(TIMEOUT);
        try (CallbackListener listener = listener(server)) {
            String redirectUri = listener.redirectUri();
            URI url = begin(context, server, redirectUri);
            listener.expect(RedirectQuery.of(url.getRawQuery()).value("state"));
            show(context, url);
            if (!noBrowser.isSet() && !new Browser(context.console().environment()).open(url)) {
                context.err()
                        .println(
                                "No browser opens here. For one on another machine, use --paste, or"
                                        + " --redirect-port PORT with ssh -L"
                                        + " PORT:127.0.0.1:PORT.");
            }
            RedirectQuery answer =
                    listener.await(limit)
                            .orElseThrow(
                                    () ->
                                            CommandException.timeout(
                                                    "timed out waiting for the login of %s in the browser; run the command again, with a longer --timeout if you need one"
                                                            .formatted(
                                                                    Authorization.name(server))));
            return Authorization.finish(context, server, redirectUri, answer.raw());
        }
    }

    private Authorization pasting(Context context, ResourceKey server) {
        String redirectUri =
                CallbackListener.redirectUri(givenPort().orElseGet(() -> LoginPort.of(server)));
        show(context, begin(context, server, redirectUri));
        context.err()
                .println(
                        "At the end the browser shows a page that cannot be reached. Its address"
                                + " begins with "
                                + redirectUri);
        String pasted = context.console().ask("Paste the whole address: ").orElse("");
        if (pasted.isEmpty()) {
            throw new CommandException("there is no address in the input; nothing was changed");
        }
        RedirectQuery answer = RedirectQuery.pasted(pasted);
        if (!answer.isAnswer()) {
            throw new CommandException(
                    "this is not the address at the end of a login: it has no code and state; copy"
                            + " all of it, and run the command again");
        }
        return Authorization.finish(context, server, redirectUri, answer.raw());
    }

    /** Returns the URL for the browser. */
    private static URI begin(Context context, ResourceKey server, String redirectUri) {
        String url = Authorization.begin(context, server, redirectUri).authorizationUrl();
        return LoginUrl.of(url)
                .orElseThrow(
                        () ->
                                new CommandException(
                                        "the authorization server of %s has no web page to log in at: \"%s\""
                                                .formatted(
                                                        Authorization.name(server),
                                                        Text.oneLine(url))));
    }

    private static void show(Context context, URI url) {
        context.err().println("Open this URL in a browser to log in: " + url);
    }

    /** Listens where the browser ends. */
    private CallbackListener listener(ResourceKey server) {
        Optional<Integer> given = givenPort();
        return given.isPresent()
                ? CallbackListener.on(given.get())
                : CallbackListener.preferring(LoginPort.of(server));
    }

    private Optional<Integer> givenPort() {
        return redirectPort.get().map(LoginCommand::port);
    }

    private static int port(String text) {
        int port = text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : 0;
        if (port < 1 || port > 65_535) {
            throw new UsageException("\"" + text + "\" is no port from 1 to 65535");
        }
        return port;
    }

    private static void report(Context context, ResourceKey server, Authorization login) {
        context.out()
                .print(
                        "Logged in at %s for %s\n"
                                .formatted(login.issuer(), Authorization.name(server)));
        if (!login.scopes().isEmpty()) {
            context.out().print("Scopes: " + String.join(" ", login.scopes()) + "\n");
        }
        context.out().print("The Secret \"" + login.secret() + "\" has the tokens.\n");
        if (!login.isRenewable() && !login.expires().isEmpty()) {
            context.console().flush();
            context.err()
                    .println(
                            "The login ends at %s: the authorization server gave no refresh token."
                                    .formatted(login.expires()));
        }
    }
}
