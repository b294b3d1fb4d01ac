package dev.orloj.cli.manifest;

import dev.orloj.api.codec.Manifest;
import dev.orloj.api.codec.ManifestException;
import dev.orloj.api.codec.ManifestReader;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.importing.ClientManifests;
import dev.orloj.cli.output.Console;
import dev.orloj.cli.output.Progress;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

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

    static ManifestFiles read(Console console, List<String> names) {
        List<Manifest> manifests = new ArrayList<>();
        List<String> errors = new ArrayList<>();
        for (String name : names) {
            if (name.equals("-")) {
                read(console, "stdin", () -> console.in().readAllBytes(), manifests, errors);
            } else if (name.startsWith(Kustomization.PREFIX)) {
                String folder = name.substring(Kustomization.PREFIX.length());
                read(console, folder, () -> Kustomization.build(folder), manifests, errors);
            } else if (WebPage.isUrl(name)) {
                read(console, name, () -> download(console, name), manifests, errors);
            } else {
                readPath(console, name, manifests, errors);
            }
        }
        return new ManifestFiles(manifests, errors);
    }

    private static byte[] download(Console console, String url) throws IOException {
        try (Progress progress = console.progress()) {
            progress.show(Progress.reading(url));
            return WebPage.read(url);
        }
    }

    private static void readPath(
            Console console, String name, List<Manifest> manifests, List<String> errors) {
        try {
            Path path = Path.of(name);
            if (!Files.exists(path)) {
                throw new CommandException("no file \"" + name + "\"; nothing was done");
            }
            if (!Files.isDirectory(path)) {
                read(console, name, () -> Files.readAllBytes(path), manifests, errors);
                return;
            }
            List<Path> files = filesBelow(path, errors);
            if (files.isEmpty()) {
                errors.add("no .yaml, .yml or .json file below \"" + path + "\"");
            }
            for (Path file : files) {
                read(console, file.toString(), () -> Files.readAllBytes(file), manifests, errors);
            }
        } catch (IOException | InvalidPathException e) {
            errors.add("cannot read \"" + name + "\": " + why(e));
        }
    }

    /**
     * Reads one source, of manifests or of an MCP client. An unreadable one does not prevent others
     * from being read.
     */
    private static void read(
            Console console,
            String name,
            Source source,
            List<Manifest> manifests,
            List<String> errors) {
        try {
            byte[] bytes = source.read();
            manifests.addAll(
                    ClientManifests.read(name, bytes, console.environment(), errors::add)
                            .orElseGet(() -> ManifestReader.read(name, bytes, errors::add)));
        } catch (ManifestException e) {
            errors.add(e.getMessage());
        } catch (IOException e) {
            errors.add("cannot read \"" + name + "\": " + why(e));
        }
    }

    /** Returns the reason why a file cannot be read. */
    public static String why(Exception e) {
        return switch (e) {
            case AccessDeniedException denied -> "permission denied";
            case NoSuchFileException gone -> "it is not there";
            default -> String.valueOf(e.getMessage());
        };
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
                        errors.add("cannot read \"" + file + "\": " + why(e));
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
