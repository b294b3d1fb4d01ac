package dev.orloj.cli;

import dev.orloj.api.Frozen;
import dev.orloj.cli.apply.ApplyCommand;
import dev.orloj.cli.apply.DiffCommand;
import dev.orloj.cli.apply.ValidateCommand;
import dev.orloj.cli.call.CallCommand;
import dev.orloj.cli.call.ReplayCommand;
import dev.orloj.cli.call.TraceCommand;
import dev.orloj.cli.change.EditCommand;
import dev.orloj.cli.change.MetadataCommand;
import dev.orloj.cli.change.PatchCommand;
import dev.orloj.cli.change.RolloutCommand;
import dev.orloj.cli.change.ScaleCommand;
import dev.orloj.cli.change.SuspendCommand;
import dev.orloj.cli.client.ClientCommand;
import dev.orloj.cli.client.ClientConfigCommand;
import dev.orloj.cli.client.ImportCommand;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.config.ConfigCommand;
import dev.orloj.cli.explore.ApiResourcesCommand;
import dev.orloj.cli.explore.ExplainCommand;
import dev.orloj.cli.explore.InitCommand;
import dev.orloj.cli.explore.StatusCommand;
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

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A word that a command line can start with.
 *
 * @param build makes the command, which is done only for those that may be meant
 */
record Verb(String name, Supplier<Command> build) {

    static final List<Verb> ALL =
            List.of(
                    new Verb("apply", ApplyCommand::new),
                    new Verb("get", GetCommand::new),
                    new Verb("edit", EditCommand::new),
                    new Verb("diff", DiffCommand::new),
                    new Verb("patch", PatchCommand::new),
                    new Verb("label", MetadataCommand::ofLabels),
                    new Verb("annotate", MetadataCommand::ofAnnotations),
                    new Verb("scale", ScaleCommand::new),
                    new Verb("suspend", SuspendCommand::suspend),
                    new Verb("resume", SuspendCommand::resume),
                    new Verb("rollout", RolloutCommand::new),
                    new Verb("describe", DescribeCommand::new),
                    new Verb("delete", DeleteCommand::new),
                    new Verb("wait", WaitCommand::new),
                    new Verb("restart", RestartCommand::new),
                    new Verb("call", CallCommand::new),
                    new Verb("replay", ReplayCommand::new),
                    new Verb("mcp", McpVerbs::mcp),
                    new Verb("client-config", ClientConfigCommand::new),
                    new Verb("import", ImportCommand::new),
                    new Verb("client", ClientCommand::new),
                    new Verb("logs", LogsCommand::new),
                    new Verb("top", TopCommand::new),
                    new Verb("trace", TraceCommand::new),
                    new Verb("events", EventsCommand::new),
                    new Verb("create", CreateCommand::new),
                    new Verb("validate", ValidateCommand::new),
                    new Verb("explain", ExplainCommand::new),
                    new Verb("api-resources", ApiResourcesCommand::new),
                    new Verb("init", InitCommand::new),
                    new Verb("status", StatusCommand::new),
                    new Verb("config", ConfigCommand::new),
                    new Verb("health", HealthCommand::new),
                    new Verb("version", VersionCommand::new),
                    new Verb("completion", CompletionCommand::new),
                    new Verb("__complete", CompleteCommand::new),
                    new Verb("train", TrainCommand::new));

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
