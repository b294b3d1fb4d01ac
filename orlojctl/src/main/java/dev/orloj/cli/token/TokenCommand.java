package dev.orloj.cli.token;

import dev.orloj.cli.command.GroupCommand;

/** What is done with tokens of users after their creation. */
public final class TokenCommand extends GroupCommand {

    public TokenCommand() {
        super(
                "List and revoke the bearer tokens of users; create token creates them.",
                "orlojctl token list",
                "orlojctl token revoke ann-laptop");
        spec().addSubcommand("list", new ListTokensCommand().spec());
        spec().addSubcommand("revoke", new RevokeTokensCommand().spec());
    }
}
