package dev.orloj.cli.server;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.api.v1.McpServer;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Format;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.http.Paths;
import dev.orloj.cli.http.Request;
import dev.orloj.cli.manifest.AllowEnvOption;
import dev.orloj.cli.manifest.ManifestInput;
import dev.orloj.cli.manifest.Submission;
import dev.orloj.cli.resource.Targets;

import java.util.ArrayList;
import java.util.List;

/** Shows the result of merging manifests with the declarations in their images. */
public final class ShowMergedCommand extends Command {

    private final TextsOption arguments = arguments("0..1", "[SERVER]", "An McpServer.");
    private final TextsOption files =
            texts("FILE", "A file, a folder, or - for standard input.", "-f", "--filename");
    private final TextOption output = text("FORMAT", "yaml or json. Default: yaml.", "-o");

    private final AllowEnvOption allowedEnv = new AllowEnvOption(this::texts);

    public ShowMergedCommand() {
        super(
                "Show a manifest merged with the declaration of its image, and"
                        + " the origin of each part.",
                "orlojctl mcp show-merged github",
                "orlojctl mcp show-merged -f server.yaml");
    }

    @Override
    public int run(Context context) {
        Format format = Format.parse(output.orElse("yaml"), List.of(Format.YAML, Format.JSON));
        if (arguments.get().isEmpty() == files.get().isEmpty()) {
            throw needs("either SERVER or -f FILE");
        }
        int exitCode = ExitCode.OK;
        List<Request> requests;
        if (files.get().isEmpty()) {
            requests = List.of(stored(context, Targets.serverName(arguments.get().getFirst())));
        } else {
            ManifestInput input =
                    ManifestInput.read(
                            context, files.get(), allowedEnv.in(context.console().environment()));
            exitCode = input.exitCode();
            requests = sent(input.submissions());
        }
        String separator = "";
        for (Request request : requests) {
            context.out().print(separator);
            context.out()
                    .print(format.write(Json.MAPPER.readTree(context.connection().read(request))));
            separator = format == Format.YAML ? "---\n" : "";
        }
        return exitCode;
    }

    private static Request stored(Context context, String name) {
        return Request.get(path(new ResourceKey(context.namespace(), name)));
    }

    private List<Request> sent(List<Submission> submissions) {
        List<Request> requests = new ArrayList<>();
        for (Submission submission : submissions) {
            if (!submission.kind().equals(McpServer.KIND)) {
                continue;
            }
            List<String> errors = submission.check(true);
            if (!errors.isEmpty()) {
                throw new CommandException(String.join("\norlojctl: ", errors));
            }
            requests.add(
                    Request.of(
                            "POST",
                            path(submission.key()),
                            Json.MAPPER.writeValueAsBytes(submission.document())));
        }
        if (requests.isEmpty()) {
            throw new CommandException(
                    "there is no McpServer in " + String.join(", ", files.get()));
        }
        return requests;
    }

    private static String path(ResourceKey key) {
        return Paths.of(McpServer.KIND, key) + "/merged";
    }
}
