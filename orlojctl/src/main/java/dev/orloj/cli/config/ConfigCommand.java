package dev.orloj.cli.config;

import dev.orloj.cli.command.GroupCommand;

/** Shows and changes the kubeconfig. */
public final class ConfigCommand extends GroupCommand {

    public ConfigCommand() {
        super(
                "Show and change the configuration that orlojctl shares with kubectl.",
                "orlojctl config get-contexts",
                "orlojctl config import orloj.example.com",
                "orlojctl config use-context team",
                "orlojctl config set-context --current --namespace=web");
        spec().addSubcommand("current-context", new CurrentContextCommand().spec());
        spec().addSubcommand("get-contexts", new GetContextsCommand().spec());
        spec().addSubcommand("use-context", new UseContextCommand().spec());
        spec().addSubcommand("set-context", new SetContextCommand().spec());
        spec().addSubcommand("set-cluster", new SetClusterCommand().spec());
        spec().addSubcommand("set-credentials", new SetCredentialsCommand().spec());
        spec().addSubcommand("delete-context", new DeleteContextCommand().spec());
        spec().addSubcommand("import", new ImportContextCommand().spec());
        spec().addSubcommand("view", new ViewCommand().spec());
    }
}
