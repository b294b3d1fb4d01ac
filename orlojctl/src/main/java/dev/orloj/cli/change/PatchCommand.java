package dev.orloj.cli.change;

import dev.orloj.api.codec.DocumentReader;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.MalformedDocumentException;
import dev.orloj.api.v1.Kinds;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.output.FileErrors;
import dev.orloj.cli.resource.Targets;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/** Changes fields of resources by a patch. */
public final class PatchCommand extends ChangeCommand {

    private final TextsOption arguments =
            arguments("0..*", "KIND NAME...", "Such as mcp github, or mcp/github.");
    private final TextOption inline = text("PATCH", "The patch, in JSON or YAML.", "-p", "--patch");
    private final TextOption file =
            text("FILE", "The patch from a file; - is stdin.", "--patch-file");
    private final TextOption type =
            text(
                    "TYPE",
                    "merge, json, or strategic for the kinds of Kubernetes. Default: merge.",
                    "--type");
    private final TextOption subresource =
            text("NAME", "Patch this subresource: scale.", "--subresource");
    private JsonNode body = Json.MAPPER.nullNode();

    public PatchCommand() {
        super(
                "Change fields of resources.",
                "orlojctl patch mcp github -p '{\"spec\": {\"timeout\": \"1m\"}}'",
                "orlojctl patch mcp github --type json -p '[{\"op\": \"remove\", \"path\":"
                        + " \"/spec/timeout\"}]'");
    }

    @Override
    public int run(Context context) {
        if (inline.get().isPresent() == file.get().isPresent()) {
            throw needs("either -p PATCH or --patch-file FILE");
        }
        contentType();
        String text = inline.get().orElseGet(() -> read(context, file.orElse("")));
        body = parse(text);
        return change(context, arguments.get());
    }

    private static JsonNode parse(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        String start = text.stripLeading();
        try {
            if (start.startsWith("[")) {
                return Json.MAPPER.readTree(text);
            }
            return (start.startsWith("{")
                            ? DocumentReader.readJson(bytes)
                            : DocumentReader.readYaml(bytes))
                    .root();
        } catch (MalformedDocumentException e) {
            throw new UsageException(
                    "the patch is no JSON or YAML: line %d: %s"
                            .formatted(e.line(), e.getMessage()));
        } catch (JacksonException e) {
            throw new UsageException("the patch is no JSON: " + e.getOriginalMessage());
        }
    }

    private static String read(Context context, String name) {
        try {
            return new String(
                    name.equals("-")
                            ? context.console().in().readAllBytes()
                            : Files.readAllBytes(Path.of(name)),
                    StandardCharsets.UTF_8);
        } catch (IOException | InvalidPathException e) {
            throw new CommandException("cannot read \"" + name + "\": " + FileErrors.reason(e));
        }
    }

    private String contentType() {
        return switch (type.orElse("merge")) {
            case "merge" -> ResourcePatch.MERGE;
            case "json" -> ResourcePatch.JSON;
            case "strategic" -> ResourcePatch.STRATEGIC;
            default ->
                    throw new UsageException(
                            "--type \"%s\": expected merge, json or strategic"
                                    .formatted(type.orElse("")));
        };
    }

    @Override
    Optional<ResourcePatch> patch(Targets.Named target, ObjectNode live) {
        if (contentType().equals(ResourcePatch.STRATEGIC)
                && !Kinds.SCHEME.descriptor(target.kind()).strategicMerge()) {
            throw new CommandException(
                    "a %s takes no strategic patch: use --type merge"
                            .formatted(target.kind().singular()));
        }
        return Optional.of(
                new ResourcePatch(contentType(), body, "patched", subresource.orElse("")));
    }

    @Override
    String unchanged() {
        return "not patched";
    }
}
