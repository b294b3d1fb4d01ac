package dev.orloj.cli.auth;

import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.UsageException;

/** What is done with the logins of users at the authorization servers of McpServers. */
public final class AuthCommand extends Command {

    public AuthCommand() {
        super(
                "Log in and out at the authorization servers of McpServers.",
                "orlojctl auth login crm",
                "orlojctl auth status");
        spec().addSubcommand("login", new LoginCommand().spec());
        spec().addSubcommand("logout", new LogoutCommand().spec());
        spec().addSubcommand("status", new AuthStatusCommand().spec());
    }

    @Override
    public int run(Context context) {
        throw new UsageException("auth what? login, logout or status");
    }
}
