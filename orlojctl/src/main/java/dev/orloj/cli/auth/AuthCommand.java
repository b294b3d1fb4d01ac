package dev.orloj.cli.auth;

import dev.orloj.cli.command.GroupCommand;

/** What is done with the logins of users at the authorization servers of McpServers. */
public final class AuthCommand extends GroupCommand {

    public AuthCommand() {
        super(
                "Log in and out at the authorization servers of McpServers.",
                "orlojctl auth login crm",
                "orlojctl auth status");
        spec().addSubcommand("login", new LoginCommand().spec());
        spec().addSubcommand("logout", new LogoutCommand().spec());
        spec().addSubcommand("status", new AuthStatusCommand().spec());
    }
}
