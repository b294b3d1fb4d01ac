package dev.orloj.cli.resource;

import dev.orloj.api.codec.Json;
import dev.orloj.api.core.Namespace;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.TextsOption;

import tools.jackson.databind.node.ObjectNode;

/** Creates a namespace. */
final class CreateNamespaceCommand extends Command {

    private final TextsOption arguments = arguments("1", "NAME", "Name of the namespace.");

    CreateNamespaceCommand() {
        super("Create a namespace.", "orlojctl create namespace team-a");
    }

    @Override
    public int run(Context context) {
        String name = arguments.get().getFirst();
        ObjectNode namespace =
                Json.MAPPER
                        .createObjectNode()
                        .put("apiVersion", Namespace.KIND.apiVersion())
                        .put("kind", Namespace.KIND.name());
        namespace.putObject("metadata").put("name", name);
        context.documents().create(Namespace.KIND, "", namespace);
        context.out().print("namespace/" + name + " created\n");
        return ExitCode.OK;
    }
}
