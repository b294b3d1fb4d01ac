package dev.orloj.cli.explore;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.NameRule;
import dev.orloj.api.v1.McpServer;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.output.Documents;
import dev.orloj.cli.output.FileErrors;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;

/** Writes the manifest of a first server, for the user to change and apply. */
public final class InitCommand extends Command {

    private static final String HINTS =
            """
            # More fields: orlojctl explain mcp.spec
            #   env: [{name: API_KEY, secretRef: my-secret}]   # orlojctl create secret my-secret --from-literal value=...
            #   tool_filter: {include: [search]}               # only some of its tools
            #   timeout: 30s                                   # of each call
            """;

    private static final String NO_SCHEMA = "none";

    private final TextsOption arguments =
            arguments(
                    "1..*",
                    "NAME [-- COMMAND ARG...]",
                    "Name of the server, and the program that it is.");
    private final TextOption image = text("IMAGE", "The image of its container.", "--image");
    private final TextOption url = text("URL", "URL of a server over Streamable HTTP.", "--url");
    private final TextOption file =
            text("FILE", "Where to write. Default: NAME.yaml; - prints it.", "--file");

    private final TextOption schema =
            text(
                    "PATH|URL",
                    "The JSON Schema that editors check it with, or none. Default: "
                            + EditorSchema.FILE
                            + " beside it, which is written too.",
                    "--schema");

    public InitCommand() {
        super(
                "Write a first manifest of a server.",
                "orlojctl init everything -- npx -y @modelcontextprotocol/server-everything",
                "orlojctl init files --image mcp/filesystem",
                "orlojctl init github --url https://api.githubcopilot.com/mcp/ --file -");
    }

    @Override
    public int run(Context context) {
        String name = arguments.get().getFirst();
        List<String> program = arguments.get().subList(1, arguments.get().size());
        Optional<FieldError> error = NameRule.SUBDOMAIN.check(FieldPath.of("NAME"), name);
        if (error.isPresent()) {
            throw new UsageException(error.get().toString());
        }
        if (url.get().isPresent() && (image.get().isPresent() || !program.isEmpty())) {
            throw new UsageException("--url excludes --image and a command");
        }
        String target = file.orElse(name + ".yaml");
        boolean isPrinted = target.equals("-");
        String reference = schema.orElse(isPrinted ? NO_SCHEMA : EditorSchema.FILE);
        String manifest =
                (reference.equals(NO_SCHEMA) ? "" : EditorSchema.modeline(checked(reference)))
                        + Documents.toYaml(manifest(context, name, program))
                        + HINTS;
        if (isPrinted) {
            context.out().print(manifest);
            return ExitCode.OK;
        }
        write(target, manifest);
        if (reference.equals(EditorSchema.FILE)) {
            EditorSchema.writeBeside(Path.of(target));
        }
        context.out().print("%s written; next: orlojctl apply -f %<s\n".formatted(target));
        return ExitCode.OK;
    }

    /** A line break would end the comment, and white space the reference. */
    private static String checked(String reference) {
        if (reference
                .chars()
                .anyMatch(c -> Character.isWhitespace(c) || Character.isISOControl(c))) {
            throw new UsageException(
                    "--schema must have no white space, which ends it in the eyes of an editor:"
                            + " write %20 in a URL");
        }
        return reference;
    }

    private ObjectNode manifest(Context context, String name, List<String> program) {
        ObjectNode manifest =
                Json.MAPPER
                        .createObjectNode()
                        .put("apiVersion", McpServer.KIND.apiVersion())
                        .put("kind", McpServer.KIND.name());
        ObjectNode metadata = manifest.putObject("metadata").put("name", name);
        context.namedNamespace().ifPresent(namespace -> metadata.put("namespace", namespace));
        ObjectNode spec = manifest.putObject("spec");
        if (url.get().isPresent()) {
            return with(manifest, spec.put("transport", "http").put("endpoint", url.orElse("")));
        }
        spec.put("transport", "stdio");
        image.get().ifPresent(from -> spec.put("image", from));
        List<String> words =
                program.isEmpty() && image.get().isEmpty()
                        ? List.of("npx", "-y", "@modelcontextprotocol/server-everything")
                        : program;
        if (!words.isEmpty()) {
            spec.put("command", words.getFirst());
        }
        if (words.size() > 1) {
            words.subList(1, words.size()).forEach(spec.putArray("args")::add);
        }
        return manifest;
    }

    private static ObjectNode with(ObjectNode manifest, ObjectNode spec) {
        manifest.set("spec", spec);
        return manifest;
    }

    private static void write(String target, String manifest) {
        try {
            Files.writeString(
                    Path.of(target),
                    manifest,
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.WRITE);
        } catch (FileAlreadyExistsException e) {
            throw new CommandException(
                    "\"%s\" exists: name another file with --file, or print it with --file -"
                            .formatted(target));
        } catch (IOException | InvalidPathException e) {
            throw new CommandException("cannot write \"" + target + "\": " + FileErrors.reason(e));
        }
    }
}
