package dev.orloj.cli.importing;

import dev.orloj.api.codec.Document;
import dev.orloj.api.codec.MalformedDocumentException;
import dev.orloj.api.codec.Manifest;
import dev.orloj.cli.clientfile.ClientFile;
import dev.orloj.cli.clientfile.ClientFileException;
import dev.orloj.cli.clientfile.ClientProgram;
import dev.orloj.cli.clientfile.Platform;
import dev.orloj.cli.clientfile.Syntax;
import dev.orloj.cli.http.ServerLocation;
import dev.orloj.cli.variable.AllowedVariables;

import tools.jackson.databind.node.ObjectNode;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Reads files of clients where manifests are expected. */
public final class ClientManifests {

    private static final Pattern API_VERSION =
            Pattern.compile(
                    "(?m)^[ \\t\\x{FEFF}{\\[]*[\"']?apiVersion[\"']?\\s*:"
                            + "|[{,]\\s*\"apiVersion\"\\s*:");

    private ClientManifests() {}

    /**
     * Returns the manifests of the servers in a file of a client.
     *
     * @param name the file, or {@code stdin}
     * @param allowed the variables of the environment that a file from elsewhere may use
     * @param errors receives one line for each entry that is left out
     * @return empty if the file has manifests, or something else
     */
    public static Optional<List<Manifest>> read(
            String name,
            byte[] bytes,
            Map<String, String> environment,
            AllowedVariables allowed,
            Consumer<String> errors) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        if (bytes.length > ClientFile.MAX_BYTES || API_VERSION.matcher(text).find()) {
            return Optional.empty();
        }
        Platform platform = Platform.of(environment);
        boolean isFile = !name.equals("stdin") && !name.contains("://");
        Optional<Path> path = isFile ? Optional.of(Path.of(name)) : Optional.empty();
        return parse(name, path, text, platform)
                .map(file -> manifests(file, platform, allowed, server(environment), errors));
    }

    private static URI server(Map<String, String> environment) {
        try {
            return ServerLocation.find(Optional.empty(), environment).url();
        } catch (IllegalArgumentException e) {
            return ServerLocation.find(Optional.empty(), Map.of()).url();
        }
    }

    private static Optional<ClientFile> parse(
            String name, Optional<Path> path, String text, Platform platform) {
        for (Syntax syntax : syntaxes(name)) {
            try {
                ObjectNode root =
                        syntax.parse(text.startsWith("\uFEFF") ? text.substring(1) : text);
                if (FileServers.isClientFile(root)) {
                    return Optional.of(
                            new ClientFile(
                                    name,
                                    path,
                                    path.flatMap(p -> ClientProgram.reading(p, platform)),
                                    syntax,
                                    text,
                                    root));
                }
            } catch (MalformedDocumentException e) {
                // The reader of manifests says what is wrong.
            }
        }
        return Optional.empty();
    }

    private static List<Syntax> syntaxes(String name) {
        Syntax named = Syntax.of(name);
        return named == Syntax.JSON ? List.of(Syntax.JSON, Syntax.YAML) : List.of(named);
    }

    private static List<Manifest> manifests(
            ClientFile file,
            Platform platform,
            AllowedVariables allowed,
            URI server,
            Consumer<String> errors) {
        try {
            FileServers found =
                    FileServers.of(
                            file,
                            Surroundings.of(file, platform, allowed, _ -> Optional.empty()),
                            new SelfEntries(server),
                            Optional.of(platform.project().toString()));
            found.problems().forEach(errors);
            ImportPlan plan = ImportPlan.of(found.servers(), SecretPolicy.CREATE);
            plan.problems().forEach(errors);
            List<Manifest> manifests = new ArrayList<>();
            for (ImportedServer imported : plan.servers()) {
                imported.manifests()
                        .documents()
                        .forEach(d -> manifests.add(manifest(file, imported, d)));
            }
            return manifests;
        } catch (ClientFileException e) {
            errors.accept(e.getMessage());
            return List.of();
        }
    }

    private static Manifest manifest(
            ClientFile file, ImportedServer imported, ObjectNode document) {
        int line = imported.first().line();
        return new Manifest(file.name(), 1, new Document(document, List.of(), Map.of("", line)));
    }
}
