package dev.orloj.cli.command;

import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ScopeType;

/** Options of every command, allowed before or after its name. */
public final class GlobalOptions {

    private final OptionSpec namespaceSpec =
            text(
                    "NAME",
                    "Namespace of the resources. Default: that of the context, or" + " default.",
                    "-n",
                    "--namespace");
    private final OptionSpec serverSpec =
            text(
                    "URL",
                    "URL of orlojd. Default: $ORLOJCTL_SERVER, $ORLOJ_SERVER, the context,"
                            + " this machine's port 8080.",
                    "-s",
                    "--server");
    private final OptionSpec tokenSpec =
            text(
                    "TOKEN",
                    "Token, sent over https or on this machine only. Default:"
                            + " $ORLOJCTL_API_TOKEN, $ORLOJ_API_TOKEN, the context.",
                    "--api-token");
    private final OptionSpec kubeconfigSpec =
            text(
                    "FILE",
                    "The configuration, shared with kubectl. Default: $KUBECONFIG,"
                            + " or ~/.kube/config and the file of the orlojd of this machine.",
                    "--kubeconfig");
    private final OptionSpec contextSpec =
            text(
                    "NAME",
                    "The context of the configuration. Default: its current one.",
                    "--context");
    private final OptionSpec timeoutSpec =
            text(
                    "TIME",
                    "Maximum time for an answer, such as 10s; 0 means no limit." + " Default: 60s.",
                    "--request-timeout");
    private final OptionSpec helpSpec =
            OptionSpec.builder("-h", "--help")
                    .usageHelp(true)
                    .type(boolean.class)
                    .scopeType(ScopeType.INHERIT)
                    .description("Show this help.")
                    .build();

    final TextOption namespace = new TextOption(namespaceSpec);
    final TextOption server = new TextOption(serverSpec);
    final TextOption token = new TextOption(tokenSpec);
    final TextOption kubeconfig = new TextOption(kubeconfigSpec);
    final TextOption context = new TextOption(contextSpec);
    final TextOption requestTimeout = new TextOption(timeoutSpec);

    private static OptionSpec text(String label, String description, String... names) {
        return OptionSpec.builder(names)
                .type(String.class)
                .paramLabel(label)
                .scopeType(ScopeType.INHERIT)
                .description(description)
                .build();
    }

    /** Returns whether the option may be empty: most servers require no token. */
    public static boolean mayBeEmpty(ArgSpec arg) {
        return arg instanceof OptionSpec option && option.longestName().equals("--api-token");
    }

    public void addTo(CommandSpec root) {
        root.addOption(namespaceSpec)
                .addOption(serverSpec)
                .addOption(tokenSpec)
                .addOption(kubeconfigSpec)
                .addOption(contextSpec)
                .addOption(timeoutSpec)
                .addOption(helpSpec);
    }
}
