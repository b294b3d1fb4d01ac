package dev.orloj.cli.resource;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.Kind;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.core.Event;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Tool;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.http.DocumentClient;
import dev.orloj.cli.http.Paths;
import dev.orloj.cli.http.Request;
import dev.orloj.cli.http.ResourceSelection;
import dev.orloj.cli.output.Description;
import dev.orloj.cli.output.Masked;

import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Shows resources in detail: with conditions, tools, events and the last output of a process. */
public final class DescribeCommand extends Command {

    private static final String LOG_LINES = "10";

    private final TextsOption arguments =
            arguments("0..*", "KIND [NAME...]", "Such as mcp github, or mcp/github.");

    public DescribeCommand() {
        super(
                "Show resources in detail, with their events.",
                "orlojctl describe mcpserver everything",
                "orlojctl describe tool everything--echo");
    }

    @Override
    public int run(Context context) {
        if (arguments.get().isEmpty()) {
            throw needs(Targets.EXAMPLES);
        }
        Targets targets = Targets.parse(arguments.get());
        List<ObjectNode> found = new ArrayList<>();
        List<Kind<?>> kinds = new ArrayList<>();
        DocumentClient documents = context.documents();
        for (Targets.Named target : targets.named()) {
            found.add(documents.get(target.kind(), target.key(context.namespace())));
            kinds.add(target.kind());
        }
        for (Kind<?> kind : targets.kinds()) {
            String namespace = kind.namespaced() ? context.namespace() : "";
            for (ObjectNode item :
                    documents.list(ResourceSelection.everything(kind, namespace)).items()) {
                found.add(item);
                kinds.add(kind);
            }
        }
        if (found.isEmpty()) {
            NothingFound.say(
                    context,
                    "No resources found in %s namespace.".formatted(context.namespace()),
                    true);
        }
        for (int i = 0; i < found.size(); i++) {
            context.out().print(i == 0 ? "" : "\n\n");
            describe(context, kinds.get(i), found.get(i));
        }
        return ExitCode.OK;
    }

    private static void describe(Context context, Kind<?> kind, ObjectNode resource) {
        Description description =
                new Description(context.out(), context.console().clock().instant());
        description.print(Masked.of(resource));
        if (kind.equals(Event.KIND)) {
            return;
        }
        boolean isServer = kind.equals(McpServer.KIND);
        String namespace = resource.at("/metadata/namespace").asString("");
        String name = resource.at("/metadata/name").asString("");
        if (isServer) {
            ResourceSelection tools =
                    new ResourceSelection(Tool.KIND, namespace, Tool.SERVER_LABEL + "=" + name, "");
            description.printTools(context.documents().list(tools).items());
        }
        description.printEvents(events(context, namespace, resource));
        if (isServer && !resource.at("/status/phase").asString("").equals("Ready")) {
            description.printLog(lastWords(context, new ResourceKey(namespace, name)));
        }
    }

    private static List<ObjectNode> events(Context context, String namespace, ObjectNode resource) {
        String uid = resource.at("/metadata/uid").asString("");
        ResourceSelection about =
                new ResourceSelection(Event.KIND, namespace, "", "involvedObject.uid=" + uid);
        return context.documents().list(about).items();
    }

    private static String lastWords(Context context, ResourceKey server) {
        try {
            Request log =
                    Request.get(Paths.of(McpServer.KIND, server) + "/log")
                            .accepting("text/plain, application/json")
                            .with("tailLines", LOG_LINES);
            return new String(context.connection().read(log), StandardCharsets.UTF_8);
        } catch (ApiException e) {
            if (e.reason() == ErrorReason.INTERNAL_ERROR) {
                throw e;
            }
            return ""; // there is no process yet, or none with a log
        }
    }
}
