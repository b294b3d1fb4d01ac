package dev.orloj.cli.mcpserver;

import dev.orloj.cli.change.SuspendCommand;
import dev.orloj.cli.client.McpCommand;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.resource.DescribeCommand;
import dev.orloj.cli.resource.GetCommand;
import dev.orloj.cli.server.LogsCommand;
import dev.orloj.cli.server.RestartCommand;

/** Builds {@code orlojctl mcp} with all that is below it. */
public final class McpVerbs {

    private McpVerbs() {}

    public static Command mcp() {
        McpCommand mcp = new McpCommand();
        mcp.spec()
                .addSubcommand("add", new AddCommand().spec())
                .addSubcommand("list", list().spec())
                .addSubcommand("status", status().spec())
                .addSubcommand("start", start().spec())
                .addSubcommand("stop", stop().spec())
                .addSubcommand("restart", new RestartServersCommand(RestartCommand::new).spec())
                .addSubcommand("logs", new LogsCommand().spec())
                .addSubcommand("remove", new RemoveCommand().spec());
        return mcp;
    }

    private static Command list() {
        return new ServersCommand(
                        GetCommand::new,
                        false,
                        "Show the servers of a namespace.",
                        "orlojctl mcp list",
                        "orlojctl mcp list -A -o wide")
                .passing("FORMAT", "table, wide, yaml, json or name.", "-o", "--output")
                .passing("LABELS", "Only servers with these labels.", "-l", "--selector")
                .passingFlag("In every namespace.", "-A", "--all-namespaces")
                .passingFlag("Continue with every change.", "-w", "--watch");
    }

    private static Command status() {
        return new ServersCommand(
                DescribeCommand::new,
                false,
                "Show servers in detail: state, tools, events, last output.",
                "orlojctl mcp status github");
    }

    private static Command start() {
        return new ServersCommand(
                        SuspendCommand::resume,
                        true,
                        "Start stopped servers.",
                        "orlojctl mcp start github")
                .withDryRun();
    }

    private static Command stop() {
        return new ServersCommand(
                        SuspendCommand::suspend,
                        true,
                        "Stop servers; their tools stay listed, and calls are refused.",
                        "orlojctl mcp stop github",
                        "orlojctl mcp stop github --dry-run -o yaml")
                .withDryRun();
    }
}
