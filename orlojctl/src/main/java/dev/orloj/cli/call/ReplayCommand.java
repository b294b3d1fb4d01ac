package dev.orloj.cli.call;

import dev.orloj.api.ApiException;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.api.v1.Tool;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.http.Paths;
import dev.orloj.cli.http.Request;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;

/** Makes a call again that was kept with {@code call --save}; orlojd keeps no arguments. */
public final class ReplayCommand extends Command {

    private final TextsOption arguments =
            arguments("1", "CALL", "The folder of \"call --save\", or call.json of it.");
    private final TextOption output =
            text("FORMAT", "text, json, yaml or jsonpath=TEMPLATE.", "-o", "--output");

    public ReplayCommand() {
        super(
                "Make a call again that \"call --save\" kept.",
                "orlojctl call github--search --arg query=orloj --save search",
                "orlojctl replay search");
    }

    @Override
    public int run(Context context) {
        CallOutput format = CallOutput.parse(output.orElse("text"));
        SavedCall call = SavedCall.read(arguments.get().getFirst());
        String namespace = context.namedNamespace().orElse(call.namespace());
        String tool =
                ToolLookup.find(context, namespace, call.tool()).at("/metadata/name").asString("");
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.set("arguments", call.arguments());
        Request request =
                Request.of(
                                "POST",
                                Paths.of(Tool.KIND, new ResourceKey(namespace, tool)) + "/call",
                                Json.MAPPER.writeValueAsBytes(body))
                        .waiting(Duration.ZERO);
        try {
            return format.print(context, context.connection().read(request));
        } catch (ApiException e) {
            throw CallCommand.explained(e);
        }
    }
}
