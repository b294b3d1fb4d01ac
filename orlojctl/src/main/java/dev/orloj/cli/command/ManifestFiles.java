package dev.orloj.cli.command;

import dev.orloj.api.codec.Manifest;
import dev.orloj.api.codec.ManifestException;
import dev.orloj.api.codec.ManifestReader;
import dev.orloj.cli.output.Console;

import java.io.IOException;
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
 * Reads what {@code -f} names: files, folders with all that is below them, or standard input.
 *
 * @param manifests in the order of the arguments, files of a folder by name
 * @param errors one for each file that cannot be read, with its name and line
 */
record ManifestFiles(List<Manifest> manifests, List<String> errors) {

    static ManifestFiles read(Console console, List<String> names) {
        List<Manifest> manifests = new ArrayList<>();
        List<String> errors = new ArrayList<>();
        for (String name : names) {
            try {
                if (name.equals("-")) {
                    manifests.addAll(ManifestReader.read("stdin", console.in().readAllBytes()));
                } else {
                    readPath(Path.of(name), manifests, errors);
                }
            } catch (ManifestException e) {
                errors.add(e.getMessage());
            } catch (NoSuchFileException e) {
                errors.add("no file \"" + name + "\"");
            } catch (IOException | InvalidPathException e) {
                errors.add("cannot read \"" + name + "\": " + e.getMessage());
            }
        }
        return new ManifestFiles(manifests, errors);
    }

    private static void readPath(Path path, List<Manifest> manifests, List<String> errors)
            throws IOException {
        if (!Files.isDirectory(path)) {
            manifests.addAll(ManifestReader.read(path.toString(), Files.readAllBytes(path)));
            return;
        }
        List<Path> files = filesBelow(path);
        if (files.isEmpty()) {
            errors.add("no .yaml, .yml or .json file below \"" + path + "\"");
        }
        for (Path file : files) {
            try {
                manifests.addAll(ManifestReader.read(file.toString(), Files.readAllBytes(file)));
            } catch (ManifestException e) {
                errors.add(e.getMessage());
            }
        }
    }

    private static List<Path> filesBelow(Path folder) throws IOException {
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
