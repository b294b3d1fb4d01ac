package dev.orloj.cli.change;

import dev.orloj.cli.command.GroupCommand;

/** The rollouts of kubectl, as far as servers have them. */
public final class RolloutCommand extends GroupCommand {

    public RolloutCommand() {
        super(
                "Wait until a change of a server is in effect, or show who changed what.",
                "orlojctl rollout status mcp/github --timeout 2m",
                "orlojctl rollout history mcp/github");
        spec().addSubcommand("status", new RolloutStatusCommand().spec());
        spec().addSubcommand("history", new RolloutHistoryCommand().spec());
        spec().addSubcommand(
                        "undo",
                        new RefusedCommand(
                                        "undo",
                                        "Orloj keeps no older revisions: apply the manifest of the"
                                                + " older version again")
                                .spec());
        spec().addSubcommand(
                        "pause",
                        new RefusedCommand(
                                        "pause",
                                        "a change of a server takes effect at once: to stop it,"
                                                + " orlojctl suspend KIND/NAME")
                                .spec());
        spec().addSubcommand(
                        "resume",
                        new RefusedCommand(
                                        "resume",
                                        "rollouts cannot be paused: for a suspended server,"
                                                + " orlojctl resume KIND/NAME")
                                .spec());
        spec().addSubcommand(
                        "restart",
                        new RefusedCommand(
                                        "restart",
                                        "restarts have a command of their own: orlojctl restart"
                                                + " KIND/NAME")
                                .spec());
    }
}
