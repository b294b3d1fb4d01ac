package dev.orloj.cli.resource;

import dev.orloj.cli.command.GroupCommand;
import dev.orloj.cli.token.CreateTokenCommand;

/** Creates resources without a file; each kind is a subcommand. */
public final class CreateCommand extends GroupCommand {

    public CreateCommand() {
        super(
                "Create a secret, a namespace or a token without a file.",
                "orlojctl create secret github-token --from-literal value=ghp_...",
                "orlojctl create namespace team-a",
                "orlojctl create token --user ann --group web");
        spec().addSubcommand("secret", new CreateSecretCommand().spec());
        spec().addSubcommand("namespace", new CreateNamespaceCommand().spec());
        spec().addSubcommand("token", new CreateTokenCommand().spec());
    }
}
