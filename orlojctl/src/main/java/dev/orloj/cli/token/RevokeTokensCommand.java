package dev.orloj.cli.token;

import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.http.Paths;
import dev.orloj.cli.http.Request;

/** Revokes tokens of users. */
final class RevokeTokensCommand extends Command {

    private final TextsOption arguments =
            arguments("1..*", "NAME...", "Names of tokens, as token list shows them.");

    RevokeTokensCommand() {
        super(
                "Revoke tokens of users, and end their open requests.",
                "orlojctl token revoke ann-laptop");
    }

    @Override
    public int run(Context context) {
        for (String name : arguments.get()) {
            String path = Paths.below(CreateTokenCommand.USER_TOKENS, name);
            context.connection().read(Request.of("DELETE", path, new byte[0]));
            context.out().print("token \"" + name + "\" revoked\n");
        }
        return ExitCode.OK;
    }
}
