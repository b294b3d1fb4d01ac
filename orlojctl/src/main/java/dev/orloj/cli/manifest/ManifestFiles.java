package dev.orloj.cli.manifest;

import dev.orloj.api.codec.Manifest;
import dev.orloj.api.codec.ManifestException;
import dev.orloj.api.codec.ManifestReader;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.importing.ClientManifests;
import dev.orloj.cli.output.Console;
import dev.orloj.cli.output.FileErrors;
import dev.orloj.cli.output.Progress;
import dev.orloj.cli.variable.AllowedVariables;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads the sources of {@code -f}: files, folders including subfolders, or standard input.
 *
 * @param manifests in the order of the arguments, files of a folder by name
 * @param errors one for each file or manifest that cannot be read, with its name and line
 */
public record ManifestFiles(List<Manifest> manifests, List<String> errors) {

    /** Reads the bytes of one file. */
    private interface Source {
        byte[] read() throws IOException;
    }

    static ManifestFiles read(Console console, List<String> names, AllowedVariables allowed) {
        Reading reading = new Reading(console, allowed, new ArrayList<>(), new ArrayList<>());
        names.forEach(reading::read);
        return new ManifestFiles(reading.manifests, reading.errors);
    }

    /** What was read so far. */
    private record Reading(
            Console console,
            AllowedVariables allowed,
            List<Manifest> manifests,
            List<String> errors) {

        void read(String name) {
            if (name.equals("-")) {
                read("stdin", () -> console.in().readAllBytes());
            } else if (name.startsWith(Kustomization.PREFIX)) {
                String folder = name.substring(Kustomization.PREFIX.length());
                read(folder, () -> Kustomization.build(folder));
            } else if (WebPage.isUrl(name)) {
                read(name, () -> download(name));
            } else {
                readPath(name);
            }
        }

        private byte[] download(String url) throws IOException {
            try (Progress progress = console.progress()) {
                progress.show(Progress.reading(url));
                return WebPage.read(url);
            }
        }

        private void readPath(String name) {
            try {
                Path path = Path.of(name);
                if (!Files.exists(path)) {
                    throw new CommandException("no file \"" + name + "\"; nothing was done");
                }
                if (!Files.isDirectory(path)) {
                    read(name, () -> Files.readAllBytes(path));
                    return;
                }
                List<Path> files = filesBelow(path, errors);
                if (files.isEmpty()) {
                    errors.add("no .yaml, .yml or .json file below \"" + path + "\"");
                }
                for (Path file : files) {
                    read(file.toString(), () -> Files.readAllBytes(file));
                }
            } catch (IOException | InvalidPathException e) {
                errors.add("cannot read \"" + name + "\": " + FileErrors.reason(e));
            }
        }

        /**
         * Reads one source, of manifests or of an MCP client. An unreadable one does not prevent
         * others from being read.
         */
        private void read(String name, Source source) {
            try {
                byte[] bytes = source.read();
                Optional<List<Manifest>> ofClient =
                        ClientManifests.read(
                                name, bytes, console.environment(), allowed, errors::add);
                if (ofClient.isPresent()) {
                    manifests.addAll(ofClient.get());
                    return;
                }
                Substitution substitution = new Substitution(allowed);
                for (Manifest manifest : ManifestReader.read(name, bytes, errors::add)) {
                    manifests.add(substitution.in(manifest));
                }
            } catch (ManifestException e) {
                errors.add(e.getMessage());
            } catch (IOException e) {
                errors.add("cannot read \"" + name + "\": " + FileErrors.reason(e));
            }
        }
    }

    private static List<Path> filesBelow(Path folder, List<String> errors) throws IOException {
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(
                folder,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes how) {
                        boolean isHidden = !dir.equals(folder) && nameOf(dir).startsWith(".");
                        return isHidden ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes how) {
                        if (isManifest(nameOf(file))) {
                            files.add(file);
                        }
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException e) {
                        errors.add("cannot read \"" + file + "\": " + FileErrors.reason(e));
                        return FileVisitResult.CONTINUE;
                    }
                });
        files.sort(null);
        return files;
    }

    private static String nameOf(Path path) {
        Path name = path.getFileName();
        return name == null ? "" : name.toString();
    }

    private static boolean isManifest(String name) {
        return !name.startsWith(".")
                && (name.endsWith(".yaml") || name.endsWith(".yml") || name.endsWith(".json"));
    }
}
