package dev.orloj.cli.resource;

import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.UsageException;

/** Creates resources without a file; each kind is a subcommand. */
public final class CreateCommand extends Command {

    public CreateCommand() {
        super(
                "Create a secret or a namespace without a file.",
                "orlojctl create secret github-token --from-literal value=ghp_...",
                "orlojctl create namespace team-a");
        spec().addSubcommand("secret", new CreateSecretCommand().spec());
        spec().addSubcommand("namespace", new CreateNamespaceCommand().spec());
    }

    @Override
    public int run(Context context) {
        throw new UsageException("create what? secret or namespace");
    }
}
