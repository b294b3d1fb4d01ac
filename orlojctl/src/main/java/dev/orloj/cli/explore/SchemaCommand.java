package dev.orloj.cli.explore;

import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.jsonschema.ManifestSchemas;
import dev.orloj.api.v1.Kinds;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.output.FileErrors;
import dev.orloj.cli.resource.Targets;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Prints the JSON Schemas of manifests, which editors check manifests with while one types. */
public final class SchemaCommand extends Command {

    private final TextsOption arguments =
            arguments("0..1", "[KIND]", "Such as mcp; a manifest of any kind when absent.");
    private final TextOption version =
            text(
                    "VERSION",
                    "The apiVersion of the kind, such as v1 for the Secret of Kubernetes.",
                    "--api-version");
    private final TextOption folder =
            text("DIR", "Write all schemas there, one file for each kind.", "--output-dir");

    public SchemaCommand() {
        super(
                "Print the JSON Schema of a manifest, for editors.",
                "orlojctl schema > .orloj/manifest.jsonschema",
                "orlojctl schema mcpserver",
                "orlojctl schema secret --api-version v1",
                "orlojctl schema --output-dir schemas");
    }

    @Override
    public int run(Context context) {
        List<String> kind = arguments.get();
        if (folder.get().isPresent()) {
            if (!kind.isEmpty()) {
                throw new UsageException("--output-dir writes the schemas of all kinds: omit KIND");
            }
            writeAll(context, folder.orElse(""));
            return ExitCode.OK;
        }
        if (kind.isEmpty() && version.get().isPresent()) {
            throw new UsageException("--api-version needs a KIND");
        }
        ObjectNode schema =
                kind.isEmpty()
                        ? ManifestSchemas.any(Kinds.SCHEME)
                        : ManifestSchemas.of(kindOf(kind.getFirst()));
        context.out().print(ManifestSchemas.text(schema));
        return ExitCode.OK;
    }

    private KindDescriptor<?> kindOf(String word) {
        KindDescriptor<?> found = Targets.kindOf(word);
        if (version.get().isEmpty()) {
            return found;
        }
        String wanted = version.orElse("");
        String name = found.kind().name();
        return Kinds.SCHEME
                .findKind(wanted, name)
                .orElseThrow(
                        () ->
                                new UsageException(
                                        "there is no %s of \"%s\"; --api-version is one of %s"
                                                .formatted(name, wanted, versionsOf(name))));
    }

    private static String versionsOf(String name) {
        return Kinds.SCHEME.descriptors().stream()
                .map(KindDescriptor::kind)
                .filter(kind -> kind.name().equals(name))
                .map(kind -> kind.apiVersion())
                .collect(Collectors.joining(", "));
    }

    private static void writeAll(Context context, String folder) {
        Map<String, ObjectNode> files = ManifestSchemas.files(Kinds.SCHEME);
        try {
            Path target = Files.createDirectories(Path.of(folder));
            for (Map.Entry<String, ObjectNode> file : files.entrySet()) {
                Files.writeString(
                        target.resolve(file.getKey()), ManifestSchemas.text(file.getValue()));
            }
        } catch (FileAlreadyExistsException e) {
            throw new CommandException(
                    "cannot write to \"%s\": it is no folder; give another --output-dir"
                            .formatted(folder));
        } catch (IOException | InvalidPathException e) {
            throw new CommandException(
                    "cannot write to \"%s\": %s".formatted(folder, FileErrors.reason(e)));
        }
        context.out().print("%d schemas written to %s\n".formatted(files.size(), folder));
    }
}
