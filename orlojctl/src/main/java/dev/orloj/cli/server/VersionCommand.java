package dev.orloj.cli.server;

import dev.orloj.api.codec.Json;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.http.Request;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Shows the versions of client and server. */
public final class VersionCommand extends Command {

    private final Flag clientOnly = flag("Show only the version of orlojctl.", "--client");

    public VersionCommand() {
        super("Show the versions of client and server.", "orlojctl version --client");
    }

    @Override
    public int run(Context context) {
        String version = VersionCommand.class.getPackage().getImplementationVersion();
        context.out().print("Client: " + (version == null ? "unreleased" : version) + "\n");
        if (!clientOnly.isSet()) {
            context.out().flush();
            context.out().print("Server: " + serverVersion(context) + "\n");
        }
        return ExitCode.OK;
    }

    private static String serverVersion(Context context) {
        try {
            JsonNode answer =
                    Json.MAPPER.readTree(context.connection().read(Request.get("/version")));
            return answer.path("gitVersion").asString("unknown");
        } catch (JacksonException e) {
            throw new CommandException(
                    "the server at %s did not answer with a version; is it orlojd?"
                            .formatted(context.connection().server()));
        }
    }
}
