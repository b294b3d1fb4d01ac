package dev.orloj.cli.token;

import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.UsageException;

/** What is done with tokens of users after their creation. */
public final class TokenCommand extends Command {

    public TokenCommand() {
        super(
                "List and revoke the bearer tokens of users; create token creates them.",
                "orlojctl token list",
                "orlojctl token revoke ann-laptop");
        spec().addSubcommand("list", new ListTokensCommand().spec());
        spec().addSubcommand("revoke", new RevokeTokensCommand().spec());
    }

    @Override
    public int run(Context context) {
        throw new UsageException("token what? list or revoke");
    }
}
