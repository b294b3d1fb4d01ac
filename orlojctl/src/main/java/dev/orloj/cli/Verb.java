package dev.orloj.cli;

import dev.orloj.api.Frozen;
import dev.orloj.cli.admin.AdminCommand;
import dev.orloj.cli.apply.ApplyCommand;
import dev.orloj.cli.apply.DiffCommand;
import dev.orloj.cli.apply.ValidateCommand;
import dev.orloj.cli.audit.AuditCommand;
import dev.orloj.cli.auth.AuthCommand;
import dev.orloj.cli.call.CallCommand;
import dev.orloj.cli.call.ReplayCommand;
import dev.orloj.cli.call.TraceCommand;
import dev.orloj.cli.change.EditCommand;
import dev.orloj.cli.change.MetadataCommand;
import dev.orloj.cli.change.PatchCommand;
import dev.orloj.cli.change.RolloutCommand;
import dev.orloj.cli.change.ScaleCommand;
import dev.orloj.cli.change.SuspendCommand;
import dev.orloj.cli.check.CheckCommand;
import dev.orloj.cli.client.ClientCommand;
import dev.orloj.cli.client.ClientConfigCommand;
import dev.orloj.cli.client.ImportCommand;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.config.ConfigCommand;
import dev.orloj.cli.explore.ApiResourcesCommand;
import dev.orloj.cli.explore.ExplainCommand;
import dev.orloj.cli.explore.InitCommand;
import dev.orloj.cli.explore.SchemaCommand;
import dev.orloj.cli.explore.StatusCommand;
import dev.orloj.cli.ledger.ToolsCommand;
import dev.orloj.cli.mcpserver.McpVerbs;
import dev.orloj.cli.resource.CreateCommand;
import dev.orloj.cli.resource.DeleteCommand;
import dev.orloj.cli.resource.DescribeCommand;
import dev.orloj.cli.resource.EventsCommand;
import dev.orloj.cli.resource.GetCommand;
import dev.orloj.cli.resource.WaitCommand;
import dev.orloj.cli.server.HealthCommand;
import dev.orloj.cli.server.LogsCommand;
import dev.orloj.cli.server.RestartCommand;
import dev.orloj.cli.server.TopCommand;
import dev.orloj.cli.server.VersionCommand;
import dev.orloj.cli.token.TokenCommand;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A word that a command line can start with.
 *
 * @param name as it is typed
 */
record Verb(String name) {

    static final List<Verb> ALL =
            Stream.of(
                            "apply",
                            "get",
                            "edit",
                            "diff",
                            "patch",
                            "label",
                            "annotate",
                            "scale",
                            "suspend",
                            "resume",
                            "rollout",
                            "describe",
                            "delete",
                            "wait",
                            "restart",
                            "call",
                            "replay",
                            "mcp",
                            "client-config",
                            "import",
                            "client",
                            "logs",
                            "top",
                            "trace",
                            "events",
                            "create",
                            "token",
                            "auth",
                            "tools",
                            "audit",
                            "admin",
                            "validate",
                            "check",
                            "explain",
                            "schema",
                            "api-resources",
                            "init",
                            "status",
                            "config",
                            "health",
                            "version",
                            "completion",
                            "__complete",
                            "train")
                    .map(Verb::new)
                    .toList();

    /** Returns what makes the command, which is done only for those that may be meant. */
    Supplier<Command> build() {
        return this::command;
    }

    /** A switch, unlike a table, loads only the class that it comes to. */
    private Command command() {
        return switch (name) {
            case "apply" -> new ApplyCommand();
            case "get" -> new GetCommand();
            case "edit" -> new EditCommand();
            case "diff" -> new DiffCommand();
            case "patch" -> new PatchCommand();
            case "label" -> MetadataCommand.ofLabels();
            case "annotate" -> MetadataCommand.ofAnnotations();
            case "scale" -> new ScaleCommand();
            case "suspend" -> SuspendCommand.suspend();
            case "resume" -> SuspendCommand.resume();
            case "rollout" -> new RolloutCommand();
            case "describe" -> new DescribeCommand();
            case "delete" -> new DeleteCommand();
            case "wait" -> new WaitCommand();
            case "restart" -> new RestartCommand();
            case "call" -> new CallCommand();
            case "replay" -> new ReplayCommand();
            case "mcp" -> McpVerbs.mcp();
            case "client-config" -> new ClientConfigCommand();
            case "import" -> new ImportCommand();
            case "client" -> new ClientCommand();
            case "logs" -> new LogsCommand();
            case "top" -> new TopCommand();
            case "trace" -> new TraceCommand();
            case "events" -> new EventsCommand();
            case "create" -> new CreateCommand();
            case "token" -> new TokenCommand();
            case "auth" -> new AuthCommand();
            case "tools" -> new ToolsCommand();
            case "audit" -> new AuditCommand();
            case "admin" -> new AdminCommand();
            case "validate" -> new ValidateCommand();
            case "check" -> new CheckCommand();
            case "explain" -> new ExplainCommand();
            case "schema" -> new SchemaCommand();
            case "api-resources" -> new ApiResourcesCommand();
            case "init" -> new InitCommand();
            case "status" -> new StatusCommand();
            case "config" -> new ConfigCommand();
            case "health" -> new HealthCommand();
            case "version" -> new VersionCommand();
            case "completion" -> new CompletionCommand();
            case "__complete" -> new CompleteCommand();
            case "train" -> new TrainCommand();
            default -> throw new IllegalStateException("no command for the verb " + name);
        };
    }

    /** Those whose names stand somewhere in the arguments; the first is most likely meant. */
    static List<Verb> mentionedIn(String... args) {
        Set<String> words = Frozen.set(Arrays.asList(args));
        // The help of all and the completion of all need all.
        if (words.contains("completion")) {
            return ALL;
        }
        return ALL.stream().filter(verb -> words.contains(verb.name())).toList();
    }
}
