package dev.orloj.cli.client;

import dev.orloj.cli.clientfile.ClientFile;
import dev.orloj.cli.clientfile.ClientFileException;
import dev.orloj.cli.clientfile.ClientProgram;
import dev.orloj.cli.clientfile.Platform;
import dev.orloj.cli.clientfile.Sections;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The files of all known clients that list servers.
 *
 * @param problems one line for each file that cannot be read
 */
record DiscoveredFiles(List<ClientFile> files, List<String> problems) {

    private static final int MAX_FILES = 1_000;

    /** Looks for files, in the order of the clients and of their files; each file counts once. */
    static DiscoveredFiles in(Platform platform, List<ClientProgram> clients) {
        DiscoveredFiles found = new DiscoveredFiles(new ArrayList<>(), new ArrayList<>());
        Set<Path> seen = new LinkedHashSet<>();
        for (ClientProgram client : clients) {
            for (Path path : client.files(platform)) {
                for (Path file : files(path)) {
                    if (seen.add(real(file))) {
                        found.add(file, client, platform);
                    }
                }
            }
        }
        return found;
    }

    private void add(Path file, ClientProgram client, Platform platform) {
        try {
            ClientFile read = ClientFile.read(file, Optional.of(client));
            if (!Sections.of(read.root(), Optional.of(platform.project().toString())).isEmpty()) {
                files.add(read);
            }
        } catch (ClientFileException e) {
            problems.add(e.getMessage());
        }
    }

    private static List<Path> files(Path path) {
        if (Files.isRegularFile(path)) {
            return List.of(path);
        }
        if (!Files.isDirectory(path)) {
            return List.of();
        }
        try (Stream<Path> inside = Files.list(path)) {
            return inside.filter(f -> f.toString().matches(".*\\.(json|yaml|yml)"))
                    .filter(Files::isRegularFile)
                    .sorted()
                    .limit(MAX_FILES)
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    private static Path real(Path file) {
        try {
            return file.toRealPath();
        } catch (IOException e) {
            return file.toAbsolutePath();
        }
    }
}
