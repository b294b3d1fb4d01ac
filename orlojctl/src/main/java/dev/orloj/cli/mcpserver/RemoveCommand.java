package dev.orloj.cli.mcpserver;

import dev.orloj.api.ApiException;
import dev.orloj.api.Kind;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.api.core.Secret;
import dev.orloj.api.v1.McpServer;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.Format;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.importing.ServerManifests;
import dev.orloj.cli.output.Documents;
import dev.orloj.cli.output.Masked;
import dev.orloj.cli.output.Text;
import dev.orloj.cli.resource.NameGuess;
import dev.orloj.cli.resource.Targets;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Deletes servers, and the Secrets that were made for them. */
final class RemoveCommand extends Command {

    private final TextsOption arguments =
            arguments("1..*", "SERVER...", "McpServers, such as github.");
    private final Flag keepSecrets =
            flag("Keep the Secrets that add and import created.", "--keep-secrets");
    private final TextOption dryRun = DryRunOption.addTo(spec(), "server");
    private final TextOption output =
            text("FORMAT", "Print the deleted resources: yaml, json or name.", "-o", "--output");

    RemoveCommand() {
        super(
                "Delete servers, and the Secrets that were created for them.",
                "orlojctl mcp remove github",
                "orlojctl mcp remove github --dry-run -o yaml");
    }

    @Override
    public int run(Context context) {
        boolean isDry = DryRunOption.parse(dryRun) != DryRunOption.NONE;
        Optional<Format> format =
                output.get()
                        .map(
                                text ->
                                        Format.parse(
                                                text,
                                                List.of(Format.YAML, Format.JSON, Format.NAME)));
        List<ObjectNode> gone = new ArrayList<>();
        int exitCode = ExitCode.OK;
        for (String name : arguments.get().stream().map(Targets::serverName).toList()) {
            try {
                remove(context, name, isDry, format, gone);
            } catch (ApiException e) {
                context.out().flush();
                context.err().println("orlojctl: " + NameGuess.explain(context, e));
                exitCode = ExitCode.FAILED;
            }
        }
        if (!gone.isEmpty() && format.isPresent() && format.get() != Format.NAME) {
            context.out().print(format.get().write(Documents.oneOrList(gone, false)));
        }
        return exitCode;
    }

    private void remove(
            Context context,
            String name,
            boolean isDry,
            Optional<Format> format,
            List<ObjectNode> gone) {
        ResourceKey key = new ResourceKey(context.namespace(), name);
        ResourceKey secretKey =
                new ResourceKey(context.namespace(), ServerManifests.secretName(name));
        ObjectNode server = context.documents().get(McpServer.KIND, key);
        Optional<ObjectNode> secret =
                keepSecrets.isSet()
                        ? Optional.empty()
                        : context.documents()
                                .find(Secret.KIND, secretKey)
                                .filter(s -> ServerManifests.isOf(s, name));
        delete(context, McpServer.KIND, key, server, isDry, format, gone);
        secret.ifPresent(s -> delete(context, Secret.KIND, secretKey, s, isDry, format, gone));
    }

    private static void delete(
            Context context,
            Kind<?> kind,
            ResourceKey key,
            ObjectNode document,
            boolean isDry,
            Optional<Format> format,
            List<ObjectNode> gone) {
        ObjectNode options = Json.MAPPER.createObjectNode();
        if (isDry) {
            options.putArray("dryRun").add("All");
        }
        context.documents().delete(kind, key, options);
        gone.add(Masked.of(Documents.withoutOwners(document)));
        String display = Text.qualified(kind) + "/" + key.name();
        if (format.isEmpty()) {
            context.out().print(display + " deleted" + (isDry ? " (server dry run)" : "") + "\n");
        } else if (format.get() == Format.NAME) {
            context.out().print(display + "\n");
        }
        context.out().flush();
    }
}
