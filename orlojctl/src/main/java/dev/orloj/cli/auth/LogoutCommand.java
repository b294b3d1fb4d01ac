package dev.orloj.cli.auth;

import dev.orloj.api.ResourceKey;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.resource.Targets;

/** Deletes the tokens of a login, and revokes them where that is possible. */
final class LogoutCommand extends Command {

    private static final String REMAIN = "they remain valid there until they expire";

    private final TextsOption arguments = arguments("1", "SERVER", "An McpServer, such as crm.");

    LogoutCommand() {
        super(
                "Log out: revoke the tokens of an McpServer, and delete them.",
                "orlojctl auth logout crm");
    }

    @Override
    public int run(Context context) {
        ResourceKey server =
                new ResourceKey(
                        context.namespace(), Targets.serverName(arguments.get().getFirst()));
        Authorization ended = Authorization.delete(context, server);
        String name = Authorization.name(server);
        switch (ended.revocation()) {
            case "None" -> context.out().print(name + " was not logged in\n");
            case "Revoked" ->
                    context.out().print("Logged out of " + name + "; its tokens are revoked\n");
            case "Unsupported" ->
                    context.out()
                            .print(
                                    "Logged out of %s; its authorization server revokes no tokens: they are deleted here, and %s\n"
                                            .formatted(name, REMAIN));
            default -> {
                context.out().print("Logged out of " + name + "; its tokens are deleted here\n");
                context.console().flush();
                context.err()
                        .println(
                                "Warning: the authorization server did not revoke the tokens%s; %s"
                                        .formatted(
                                                ended.message().isEmpty()
                                                        ? ""
                                                        : ": " + ended.message(),
                                                REMAIN));
            }
        }
        return ExitCode.OK;
    }
}
