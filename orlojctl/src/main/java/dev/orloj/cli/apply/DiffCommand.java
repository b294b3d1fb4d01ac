package dev.orloj.cli.apply;

import dev.orloj.api.ApiException;
import dev.orloj.api.codec.Json;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.http.ConnectionException;
import dev.orloj.cli.manifest.ManifestInput;
import dev.orloj.cli.manifest.ManifestSources;
import dev.orloj.cli.manifest.Submission;
import dev.orloj.cli.output.Documents;
import dev.orloj.cli.output.FileErrors;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Shows what an apply of manifests would change. */
public final class DiffCommand extends Command {

    /** As of diff and kubectl: 1 means differences, so that failures have another code. */
    private static final int DIFFERENT = 1;

    private static final int TROUBLE = 2;
    private static final List<String> NOISE =
            List.of("managedFields", "resourceVersion", "generation");

    private final ManifestSources sources =
            new ManifestSources(this::texts, this::flag, "What to compare.");
    private final TextOption fieldManager =
            text(
                    "NAME",
                    "Field manager that owns the applied fields. Default: orlojctl.",
                    "--field-manager");
    private final Flag forceConflicts =
            flag("Assume that apply takes over fields of other managers.", "--force-conflicts");

    public DiffCommand() {
        super(
                "Show what an apply would change. Exit code 1 means differences, 2 a failure.",
                "orlojctl diff -f server.yaml",
                "KUBECTL_EXTERNAL_DIFF='diff -u --color' orlojctl diff -f servers/");
    }

    @Override
    public int run(Context context) {
        if (!sources.isGiven()) {
            throw needs("-f FILE");
        }
        try {
            return diff(context);
        } catch (ApiException | ConnectionException | CommandException e) {
            context.err().println("orlojctl: " + e.getMessage());
            return TROUBLE;
        }
    }

    private int diff(Context context) {
        ManifestInput input = sources.read(context);
        ApplyOptions options =
                new ApplyOptions(
                        true,
                        fieldManager.orElse(ApplyOptions.FIELD_MANAGER),
                        forceConflicts.isSet());
        ApplyClient client = new ApplyClient(context.connection());
        ServerSideApply applies = new ServerSideApply(client, options);
        boolean isBroken = input.exitCode() != ExitCode.OK;
        Path folder = newFolder();
        try {
            Path live = Files.createDirectories(folder.resolve("LIVE"));
            Path merged = Files.createDirectories(folder.resolve("MERGED"));
            for (Submission submission : input.submissions()) {
                isBroken |= !write(context, applies, submission, live, merged);
            }
            int compared = compare(context, folder);
            return isBroken ? TROUBLE : compared;
        } catch (IOException e) {
            throw new CommandException("cannot compare: " + FileErrors.reason(e));
        } finally {
            delete(folder);
        }
    }

    /** Writes the resource as it is and as it would be; returns whether that was possible. */
    private static boolean write(
            Context context, ServerSideApply applies, Submission submission, Path live, Path merged)
            throws IOException {
        Optional<ObjectNode> before = context.documents().find(submission.kind(), submission.key());
        ObjectNode after;
        try {
            Intent intent = new Intent(submission.kind(), submission.key(), submission.document());
            after = applies.apply(intent).document();
        } catch (ApiException e) {
            ApplyReport.explain(submission, e)
                    .forEach(line -> context.err().println("orlojctl: " + line));
            return false;
        }
        String name =
                "%s.%s.%s.%s"
                        .formatted(
                                submission.kind().apiVersion().replace('/', '.'),
                                submission.kind().name(),
                                submission.key().namespace(),
                                submission.key().name());
        ObjectNode now = before.orElseGet(Json.MAPPER::createObjectNode);
        mask(submission, now, after);
        if (before.isPresent()) {
            Files.writeString(live.resolve(name), Documents.toYaml(withoutNoise(now)));
        }
        Files.writeString(merged.resolve(name), Documents.toYaml(withoutNoise(after)));
        return true;
    }

    /** Replaces secret values by words that show only whether they differ. */
    private static void mask(Submission submission, ObjectNode before, ObjectNode after) {
        for (String pointer : submission.descriptor().sensitiveFields()) {
            JsonNode old = before.at(pointer);
            if (after.at(pointer) instanceof ObjectNode now) {
                for (Map.Entry<String, JsonNode> field : List.copyOf(now.properties())) {
                    boolean isSame = field.getValue().equals(old.get(field.getKey()));
                    now.put(field.getKey(), isSame ? "***" : "*** (after)");
                }
                if (old instanceof ObjectNode values) {
                    for (String key : List.copyOf(values.propertyNames())) {
                        values.put(
                                key,
                                "***".equals(now.path(key).asString("")) ? "***" : "*** (before)");
                    }
                }
            }
        }
    }

    private static ObjectNode withoutNoise(ObjectNode document) {
        if (document.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove(NOISE);
            if (metadata.path("uid").asString("").isEmpty()) {
                metadata.remove("uid");
            }
        }
        return document;
    }

    private static int compare(Context context, Path folder) throws IOException {
        String named = context.console().environment().getOrDefault("KUBECTL_EXTERNAL_DIFF", "");
        List<String> command = new ArrayList<>();
        command.addAll(
                named.isBlank()
                        ? List.of("diff", "-u", "-N")
                        : List.of(named.strip().split("\\s+")));
        command.addAll(List.of("LIVE", "MERGED"));
        Process process;
        try {
            process =
                    new ProcessBuilder(command)
                            .directory(folder.toFile())
                            .redirectErrorStream(true)
                            .start();
        } catch (IOException e) {
            throw new CommandException(
                    "there is no program \"%s\": install diff, or name one in KUBECTL_EXTERNAL_DIFF"
                            .formatted(command.getFirst()));
        }
        process.getOutputStream().close();
        try (InputStream out = process.getInputStream()) {
            out.transferTo(context.out());
            int exitCode = process.waitFor();
            return exitCode > DIFFERENT ? TROUBLE : exitCode;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static Path newFolder() {
        try {
            return Files.createTempDirectory("orlojctl-diff-");
        } catch (IOException e) {
            throw new CommandException("cannot create a folder to compare: " + e.getMessage());
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            // what is left has no secrets in it
        }
    }
}
