package dev.orloj.cli.change;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.codec.DocumentReader;
import dev.orloj.api.codec.MalformedDocumentException;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.output.Documents;
import dev.orloj.cli.output.FileErrors;
import dev.orloj.cli.output.Masked;
import dev.orloj.cli.output.Text;
import dev.orloj.cli.resource.Targets;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Lets the user edit resources, and sends what they changed. */
public final class EditCommand extends Command {

    private static final String HEADER =
            """
            # Lines that begin with '#' are ignored. An unchanged or empty file cancels the edit.
            # Fields that you do not change keep the value that they have when you save.
            """;

    private final TextsOption arguments =
            arguments("0..*", "KIND NAME...", "Such as mcp github, or mcp/github tool/a.");

    public EditCommand() {
        super(
                "Edit resources in an editor, that of KUBE_EDITOR, VISUAL or EDITOR.",
                "orlojctl edit mcp github",
                "KUBE_EDITOR='code --wait' orlojctl edit mcp/github");
    }

    @Override
    public int run(Context context) {
        List<Targets.Named> targets =
                arguments.get().isEmpty() ? List.of() : Targets.parse(arguments.get()).named();
        if (targets.isEmpty()) {
            throw needs("KIND/NAME..., such as mcp/github");
        }
        Editor editor = new Editor(context.console().environment());
        int exitCode = ExitCode.OK;
        for (Targets.Named target : targets) {
            exitCode = Math.max(exitCode, edit(context, editor, target));
        }
        return exitCode;
    }

    private static int edit(Context context, Editor editor, Targets.Named target) {
        ObjectNode before =
                Masked.of(
                        Documents.withoutOwners(
                                context.documents()
                                        .get(target.kind(), target.key(context.namespace()))));
        String display = Text.qualified(target.kind()) + "/" + target.name();
        Path file = Editor.newFile(target.name());
        String text = HEADER + Documents.toYaml(before);
        while (true) {
            write(file, text);
            editor.edit(file);
            String edited = read(file);
            if (edited.equals(text) || content(edited).isBlank()) {
                return cancelled(context, file, !text.startsWith(HEADER));
            }
            try {
                ObjectNode after = parse(edited);
                ObjectNode patch = MergeDifference.of(before, after);
                if (patch.isEmpty()) {
                    return cancelled(context, file, false);
                }
                requireSameIdentity(before, after);
                ResourcePatch.merge(patch, "edited").send(context, target, false, "orlojctl");
                delete(file);
                context.out().print(display + " edited\n");
                return ExitCode.OK;
            } catch (ApiException e) {
                if (e.reason() != ErrorReason.INVALID && e.reason() != ErrorReason.BAD_REQUEST) {
                    throw new CommandException(
                            "%s; your edit is in %s".formatted(e.getMessage(), file));
                }
                text = again(e.getMessage(), edited);
            } catch (CommandException e) {
                text = again(e.getMessage(), edited);
            }
        }
    }

    /** Shows the error above the text that the user wrote. */
    private static String again(String error, String edited) {
        String comment = error.lines().map(line -> "# " + line).collect(Collectors.joining("\n"));
        return "# Not saved:\n" + comment + "\n#\n" + HEADER + content(edited);
    }

    private static int cancelled(Context context, Path file, boolean isAfterError) {
        if (isAfterError) {
            context.err().println("orlojctl: edit cancelled; your edit is in " + file);
            return ExitCode.FAILED;
        }
        delete(file);
        context.err().println("Edit cancelled, no changes made.");
        return ExitCode.OK;
    }

    private static String content(String text) {
        return text.lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line + "\n")
                .collect(Collectors.joining());
    }

    private static ObjectNode parse(String text) {
        try {
            return DocumentReader.readYaml(text.getBytes(StandardCharsets.UTF_8)).root();
        } catch (MalformedDocumentException e) {
            throw new CommandException("line %d: %s".formatted(e.line(), e.getMessage()));
        }
    }

    private static void requireSameIdentity(ObjectNode before, ObjectNode after) {
        for (String pointer :
                List.of("/apiVersion", "/kind", "/metadata/name", "/metadata/namespace")) {
            if (!before.at(pointer).equals(after.at(pointer))) {
                throw new CommandException(
                        pointer.substring(1).replace('/', '.') + " cannot be changed");
            }
        }
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new CommandException("cannot write " + file + ": " + FileErrors.reason(e));
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new CommandException("cannot read " + file + ": " + FileErrors.reason(e));
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            // a file of the user's own, in the folder for such files
        }
    }
}
