package dev.orloj.controllers.secret;

import dev.orloj.api.core.Secret;
import dev.orloj.api.core.SecretRef;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
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
 * A folder with Secrets as files: {@code NAME/KEY}, or {@code NAME} for a Secret with one value.
 *
 * @param namespace whose servers may use them; empty for those of all namespaces
 */
public record SecretFolder(String namespace, Path path) {

    static final int MAX_SECRETS = 1_000;
    static final int MAX_KEYS = 100;
    static final int MAX_VALUE_BYTES = 1024 * 1024;
    static final int MAX_BYTES = 16 * 1024 * 1024;

    /** Where the volumes of Kubernetes keep all files of one version; replaced as a whole. */
    private static final String VERSION = "..data";

    private static final int ATTEMPTS = 3;
    private static final Pattern SECRET_NAME =
            Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");
    private static final Pattern KEY = Pattern.compile("[-._a-zA-Z0-9]{1,253}");

    /**
     * What a folder has.
     *
     * @param secrets by name
     * @param problems why a name has no Secret, or not a new one
     */
    record Contents(Map<String, Secret.Spec> secrets, Map<String, String> problems) {}

    /**
     * Reads all files.
     *
     * @param before what was read last: what cannot be read now stays as it is, unlike what is gone
     * @throws IOException when the folder cannot be read
     */
    Contents read(Contents before) throws IOException {
        Contents now = new Contents(new TreeMap<>(), new TreeMap<>());
        int bytes = 0;
        for (Path entry : entries(path, MAX_SECRETS)) {
            String name = String.valueOf(entry.getFileName());
            try {
                Secret.Spec secret = secret(name, entry);
                bytes += size(secret);
                if (bytes > MAX_BYTES) {
                    throw new IllegalArgumentException(
                            "the files of \"%s\" have more than %d bytes together"
                                    .formatted(path, MAX_BYTES));
                }
                now.secrets.put(name, secret);
            } catch (NoSuchFileException e) {
                // It went away meanwhile.
            } catch (IllegalArgumentException e) {
                now.problems.put(name, String.valueOf(e.getMessage()));
            } catch (IOException e) {
                Secret.Spec known = before.secrets.get(name);
                if (known != null) {
                    now.secrets.put(name, known);
                }
                now.problems.put(name, "\"%s\" cannot be read: %s".formatted(entry, why(e)));
            }
        }
        return now;
    }

    static String why(IOException e) {
        return e.getClass().getSimpleName() + ": " + e.getMessage();
    }

    private static int size(Secret.Spec secret) {
        return secret.data().values().stream().mapToInt(String::length).sum() / 4 * 3;
    }

    private static Secret.Spec secret(String name, Path entry) throws IOException {
        if (!SECRET_NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "\"%s\" is no name of a Secret: use lower case letters, digits, - and ."
                            .formatted(entry));
        }
        return new Secret.Spec(
                "Opaque",
                Files.isDirectory(entry)
                        ? values(entry)
                        : Map.of(SecretRef.DEFAULT_KEY, value(entry)),
                false);
    }

    private static Map<String, String> values(Path folder) throws IOException {
        Map<String, String> values = new TreeMap<>();
        for (Path file : entries(folder, MAX_KEYS)) {
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

    /**
     * Returns the entries of a folder, of one version, in the order of their names.
     *
     * @throws IllegalArgumentException when there are too many
     */
    private static List<Path> entries(Path folder, int most) throws IOException {
        for (int attempt = 1; ; attempt++) {
            Path version = folder.resolve(VERSION);
            try {
                return list(Files.exists(version) ? version.toRealPath() : folder, most);
            } catch (NoSuchFileException e) {
                // The version was replaced between the two steps.
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static List<Path> list(Path folder, int most) throws IOException {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
            for (Path entry : all) {
                if (!String.valueOf(entry.getFileName()).startsWith(".")) {
                    entries.add(entry);
                }
                if (entries.size() > most) {
                    throw new IllegalArgumentException(
                            "\"%s\" has more than %d files".formatted(folder, most));
                }
            }
        } catch (NotDirectoryException e) {
            throw new IllegalArgumentException("\"%s\" is no folder".formatted(folder), e);
        }
        entries.sort(Comparator.naturalOrder());
        return entries;
    }

    /** Returns the value in Base64, without the line end that files tend to have. */
    private static String value(Path file) throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_VALUE_BYTES + 1);
        }
        if (bytes.length > MAX_VALUE_BYTES) {
            throw new IllegalArgumentException(
                    "\"%s\" has more than %d bytes".formatted(file, MAX_VALUE_BYTES));
        }
        int end = bytes.length;
        end -= end > 0 && bytes[end - 1] == '\n' ? 1 : 0;
        end -= end > 0 && end < bytes.length && bytes[end - 1] == '\r' ? 1 : 0;
        return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes, end));
    }
}
