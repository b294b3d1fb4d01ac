package dev.orloj.cli.client;

import dev.orloj.cli.clientfile.ClientFile;
import dev.orloj.cli.clientfile.ClientFileException;
import dev.orloj.cli.clientfile.ClientProgram;
import dev.orloj.cli.clientfile.Platform;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.importing.BundleArchive;
import dev.orloj.cli.importing.FileServers;
import dev.orloj.cli.importing.FoundServer;
import dev.orloj.cli.importing.ImportedSetting;
import dev.orloj.cli.importing.Launch;
import dev.orloj.cli.importing.SelfEntries;
import dev.orloj.cli.importing.Surroundings;
import dev.orloj.cli.output.Progress;
import dev.orloj.cli.variable.AllowedVariables;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the files of an import. */
final class ImportSources {

    private final Context context;
    private final Platform platform;
    private final Prompt prompt;
    private final List<ClientProgram> clients;
    private final AllowedVariables allowed;
    private final boolean isDry;
    private final SelfEntries self;
    private final List<FoundServer> servers = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final List<String> passed = new ArrayList<>();
    private final Set<ClientFile> withOrloj = new HashSet<>();

    /**
     * @param allowed the variables of the environment that files from elsewhere may use
     * @param isDry whether nothing is written
     */
    ImportSources(
            Context context,
            Platform platform,
            Prompt prompt,
            List<ClientProgram> clients,
            AllowedVariables allowed,
            boolean isDry) {
        this.allowed = allowed;
        this.isDry = isDry;
        this.context = context;
        this.platform = platform;
        this.prompt = prompt;
        this.clients = clients;
        this.self = new SelfEntries(context.connection().server().url());
    }

    List<FoundServer> servers() {
        return servers;
    }

    List<String> problems() {
        return problems;
    }

    List<String> passed() {
        return passed;
    }

    /** Returns whether a file has an entry that is Orloj itself. */
    boolean hasOrloj(ClientFile file) {
        return withOrloj.contains(file);
    }

    void discover() {
        List<ClientProgram> wanted =
                clients.isEmpty() ? Arrays.asList(ClientProgram.values()) : clients;
        DiscoveredFiles found = DiscoveredFiles.in(platform, wanted);
        problems.addAll(found.problems());
        for (ClientFile file : found.files()) {
            int before = servers.size();
            add(file);
            context.err()
                    .println(
                            "%s (%s): %d"
                                    .formatted(
                                            file.name(),
                                            file.client().orElseThrow().label(),
                                            servers.size() - before));
        }
    }

    /**
     * Reads a file of the command line.
     *
     * @throws CommandException when it does not exist
     */
    void read(String name) {
        try {
            if (name.equals("-")) {
                byte[] bytes = context.console().in().readNBytes((int) ClientFile.MAX_BYTES);
                add(ClientFile.of("stdin", Optional.empty(), client(Optional.empty()), bytes));
                return;
            }
            Path path = Path.of(name);
            if (!Files.exists(path)) {
                throw new CommandException("no file \"%s\"; nothing was done".formatted(name));
            }
            add(
                    BundleArchive.isBundle(path)
                            ? unpacked(path)
                            : ClientFile.read(path, client(Optional.of(path))));
        } catch (ClientFileException e) {
            problems.add(e.getMessage());
        } catch (IOException | InvalidPathException e) {
            problems.add("cannot read \"%s\": %s".formatted(name, e.getMessage()));
        }
    }

    private ClientFile unpacked(Path bundle) throws IOException {
        try (Progress progress = context.console().progress()) {
            progress.showInTerminal("Unpacking " + bundle);
            return new BundleArchive(bundle).open(platform.bundles(), !isDry);
        }
    }

    private Optional<ClientProgram> client(Optional<Path> path) {
        return clients.isEmpty()
                ? path.flatMap(p -> ClientProgram.reading(p, platform))
                : Optional.of(clients.getFirst());
    }

    private void add(ClientFile file) {
        Surroundings surroundings = Surroundings.of(file, platform, allowed, prompt::ask);
        try {
            FileServers found =
                    FileServers.of(
                            file, surroundings, self, Optional.of(platform.project().toString()));
            servers.addAll(found.servers());
            problems.addAll(found.problems());
            passed.addAll(found.passed());
            if (!found.selves().isEmpty()) {
                withOrloj.add(file);
            }
        } catch (ClientFileException e) {
            problems.add(e.getMessage());
        }
    }

    long countSecrets() {
        return servers.stream()
                .flatMap(
                        s ->
                                switch (s.entry().launch()) {
                                    case Launch.Program program -> program.env().stream();
                                    case Launch.Image image -> image.env().stream();
                                    case Launch.Endpoint endpoint -> endpoint.headers().stream();
                                })
                .filter(ImportedSetting.Confidential.class::isInstance)
                .count();
    }
}
