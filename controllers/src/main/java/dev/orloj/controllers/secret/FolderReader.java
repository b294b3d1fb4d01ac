package dev.orloj.controllers.secret;

import dev.orloj.api.core.Secret;
import dev.orloj.api.core.SecretRef;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Reads a {@link SecretFolder} once, within its bounds. A writer of the folder cannot have another
 * file read: links that lead out of it, and what is no regular file, are refused. Not thread-safe.
 */
final class FolderReader {

    /** Where the volumes of Kubernetes keep all files of one version; replaced as a whole. */
    private static final String VERSION = "..data";

    private static final int ATTEMPTS = 3;
    private static final Pattern SECRET_NAME =
            Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");
    private static final Pattern KEY = Pattern.compile("[-._a-zA-Z0-9]{1,253}");

    private final Path folder;
    private final Path root;
    private final Path version;
    private int left = SecretFolder.MAX_BYTES;

    /**
     * @throws IOException when the folder cannot be read
     */
    FolderReader(Path folder) throws IOException {
        this.folder = folder;
        this.root = folder.toRealPath();
        this.version = version(folder);
    }

    /** Returns whether the folder still has the version that is read. */
    boolean isCurrent() throws IOException {
        return version(folder).equals(version);
    }

    /** Returns the folder with the files: that of the version, if there are versions. */
    private static Path version(Path folder) throws IOException {
        Path link = folder.resolve(VERSION);
        return Files.exists(link, LinkOption.NOFOLLOW_LINKS)
                ? link.toRealPath()
                : folder.toRealPath();
    }

    /**
     * Returns the entries in the order of their names.
     *
     * @throws IllegalArgumentException when there are too many
     */
    List<Path> entries(int most) throws IOException {
        return list(version, most);
    }

    private List<Path> list(Path files, int most) throws IOException {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(inFolder(files))) {
            for (Path entry : all) {
                if (!String.valueOf(entry.getFileName()).startsWith(".")) {
                    entries.add(entry);
                }
                if (entries.size() > most) {
                    throw new IllegalArgumentException(
                            "\"%s\" has more than %d files".formatted(files, most));
                }
            }
        } catch (NotDirectoryException e) {
            throw new IllegalArgumentException("\"%s\" is no folder".formatted(files), e);
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        entries.sort(Comparator.naturalOrder());
        return entries;
    }

    /**
     * Reads a Secret.
     *
     * @throws IllegalArgumentException when it can be none
     */
    Secret.Spec secret(String name, Path entry) throws IOException {
        if (!SECRET_NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "\"%s\" is no name of a Secret: use lower case letters, digits, - and ."
                            .formatted(entry));
        }
        Path real = inFolder(entry);
        return new Secret.Spec(
                "Opaque",
                Files.isDirectory(real)
                        ? values(entry)
                        : Map.of(SecretRef.DEFAULT_KEY, value(entry)),
                false);
    }

    /** A version that is replaced meanwhile is read anew. */
    private Map<String, String> values(Path entry) throws IOException {
        for (int attempt = 1; ; attempt++) {
            int before = left;
            Path files = version(entry);
            try {
                Map<String, String> values = keys(files);
                if (attempt == ATTEMPTS || version(entry).equals(files)) {
                    return values;
                }
            } catch (NoSuchFileException e) {
                if (attempt == ATTEMPTS || version(entry).equals(files)) {
                    throw e;
                }
            }
            left = before;
        }
    }

    private Map<String, String> keys(Path files) throws IOException {
        Map<String, String> values = new TreeMap<>();
        for (Path file : list(files, SecretFolder.MAX_KEYS)) {
            String key = String.valueOf(file.getFileName());
            if (!KEY.matcher(key).matches()) {
                throw new IllegalArgumentException(
                        "\"%s\" is no key of a Secret: use letters, digits, -, _ and ."
                                .formatted(file));
            }
            values.put(key, value(file));
        }
        return values;
    }

    /** Returns the value in Base64, without the line end that files tend to have. */
    private String value(Path file) throws IOException {
        Path real = inFolder(file);
        if (!Files.isRegularFile(real, LinkOption.NOFOLLOW_LINKS)) {
            throw new IllegalArgumentException("\"%s\" is no regular file".formatted(file));
        }
        byte[] bytes;
        try (InputStream in = Files.newInputStream(real, LinkOption.NOFOLLOW_LINKS)) {
            bytes = in.readNBytes(Math.min(SecretFolder.MAX_VALUE_BYTES, left) + 1);
        }
        if (bytes.length > SecretFolder.MAX_VALUE_BYTES) {
            throw new IllegalArgumentException(
                    "\"%s\" has more than %d bytes".formatted(file, SecretFolder.MAX_VALUE_BYTES));
        }
        if (bytes.length > left) {
            throw new IllegalArgumentException(
                    "the files of \"%s\" have more than %d bytes together"
                            .formatted(folder, SecretFolder.MAX_BYTES));
        }
        left -= bytes.length;
        int end = bytes.length;
        end -= end > 0 && bytes[end - 1] == '\n' ? 1 : 0;
        end -= end > 0 && end < bytes.length && bytes[end - 1] == '\r' ? 1 : 0;
        return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes, end));
    }

    /**
     * Returns where an entry is.
     *
     * @throws IllegalArgumentException when a link leads out of the folder
     */
    private Path inFolder(Path entry) throws IOException {
        Path real = entry.toRealPath();
        if (!real.startsWith(root)) {
            throw new IllegalArgumentException(
                    "\"%s\" is a link that leads out of \"%s\"".formatted(entry, folder));
        }
        return real;
    }
}
