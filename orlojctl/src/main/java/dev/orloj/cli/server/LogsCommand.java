package dev.orloj.cli.server;

import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.http.Answer;
import dev.orloj.cli.http.Paths;
import dev.orloj.cli.http.Request;
import dev.orloj.cli.resource.Targets;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/** Shows the stderr output of the process of a server, or of the main program of a Sandbox. */
public final class LogsCommand extends Command {

    private final TextsOption arguments =
            arguments("1", "SERVER", "An McpServer, such as github, or sandbox/NAME.");
    private final Flag follow = flag("Continue with new lines.", "-f", "--follow");
    private final TextOption tail = text("LINES", "Only the last LINES lines.", "--tail");
    private final TextOption since =
            text("TIME", "Only lines of the last TIME, such as 5m.", "--since");
    private final Flag previous = flag("Show the log of the previous process.", "-p", "--previous");
    private final Flag timestamps = flag("Begin each line with its time.", "--timestamps");

    public LogsCommand() {
        super(
                "Show what the process of a server writes to stderr, or the"
                        + " output of a Sandbox.",
                "orlojctl logs everything --tail 20",
                "orlojctl logs sandbox/workbench",
                "orlojctl logs mcp/everything -f");
    }

    @Override
    public int run(Context context) {
        Targets.Named target = target();
        Request request =
                Request.get(Paths.of(target.kind(), target.key(context.namespace())) + "/log")
                        .accepting("text/plain, application/json")
                        .with("follow", follow.isSet() ? "true" : "")
                        .with("tailLines", lines())
                        .with("sinceSeconds", since.duration().map(LogsCommand::seconds).orElse(""))
                        .with("previous", previous.isSet() ? "true" : "")
                        .with("timestamps", timestamps.isSet() ? "true" : "");
        try (Answer answer =
                context.connection()
                        .send(follow.isSet() ? request.waiting(Duration.ZERO) : request)) {
            if (copy(context, answer.body()) == 0) {
                context.err()
                        .println(
                                "No output of %s \"%s\" in this log."
                                        .formatted(target.kind().singular(), target.name()));
            }
        } catch (IOException e) {
            throw new CommandException("the log was cut off: " + e.getMessage());
        }
        return ExitCode.OK;
    }

    private Targets.Named target() {
        String argument = arguments.get().getFirst();
        if (argument.indexOf('/') < 0) {
            return new Targets.Named(McpServer.KIND, argument);
        }
        Targets.Named target = Targets.parse(arguments.get()).named().getFirst();
        if (!target.kind().equals(McpServer.KIND) && !target.kind().equals(Sandbox.KIND)) {
            throw new UsageException(
                    "only an McpServer or a Sandbox has a log, not a " + target.kind().singular());
        }
        return target;
    }

    private String lines() {
        String text = tail.orElse("");
        if (!text.isEmpty() && !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new UsageException("--tail \"" + text + "\" is no number of lines");
        }
        return text;
    }

    /** Rounds up, because the server ignores fractions of a second. */
    private static String seconds(Duration time) {
        if (!time.isPositive()) {
            throw new UsageException("--since must be longer than nothing");
        }
        return Long.toString(time.plusMillis(999).toSeconds());
    }

    /** Returns the number of bytes; a log that is not read further has at least one. */
    private static long copy(Context context, InputStream log) throws IOException {
        byte[] buffer = new byte[8192];
        long copied = 0;
        int length = log.read(buffer);
        while (length >= 0) {
            copied += length;
            context.out().write(buffer, 0, length);
            if (!context.console().flush()) {
                return copied;
            }
            length = log.read(buffer);
        }
        return copied;
    }
}
