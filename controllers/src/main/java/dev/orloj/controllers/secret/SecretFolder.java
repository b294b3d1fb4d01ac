package dev.orloj.controllers.secret;

import dev.orloj.api.core.Secret;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

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

    /** How often a reading begins anew because files were replaced meanwhile. */
    private static final int ATTEMPTS = 3;

    /**
     * What a folder has.
     *
     * @param secrets by name
     * @param problems why a name has no Secret, or not a new one
     */
    record Contents(Map<String, Secret.Spec> secrets, Map<String, String> problems) {}

    /**
     * Refuses a folder for other namespaces than one that it is in: it would be a Secret of that
     * one.
     *
     * @throws IllegalArgumentException with both
     */
    public static void requireApart(List<SecretFolder> folders) {
        for (SecretFolder folder : folders) {
            for (SecretFolder other : folders) {
                if (!folder.namespace.equals(other.namespace)
                        && folder.real().startsWith(other.real())) {
                    throw new IllegalArgumentException(
                            "orloj.secrets.directory (--secret-dir): \"%s\" is in \"%s\", and they are for different namespaces; use folders side by side"
                                    .formatted(folder.path, other.path));
                }
            }
        }
    }

    private Path real() {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            return path.normalize(); // it is not there yet
        }
    }

    /**
     * Reads all files, of one version.
     *
     * @param before what was read last: what cannot be read now stays as it is, unlike what is gone
     * @throws IOException when the folder cannot be read
     * @throws IllegalArgumentException when it has too many files
     */
    Contents read(Contents before) throws IOException {
        for (int attempt = 1; ; attempt++) {
            FolderReader reader = new FolderReader(path);
            try {
                Contents now = read(reader, before);
                if (attempt == ATTEMPTS || reader.isCurrent()) {
                    return now;
                }
            } catch (NoSuchFileException e) {
                if (attempt == ATTEMPTS || reader.isCurrent()) {
                    throw e;
                }
            }
        }
    }

    private static Contents read(FolderReader reader, Contents before) throws IOException {
        Contents now = new Contents(new TreeMap<>(), new TreeMap<>());
        for (Path entry : reader.entries(MAX_SECRETS)) {
            String name = String.valueOf(entry.getFileName());
            try {
                now.secrets.put(name, reader.secret(name, entry));
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
        return switch (e) {
            case NoSuchFileException missing -> "it is not there";
            case AccessDeniedException denied -> "permission denied";
            default -> String.valueOf(e.getMessage());
        };
    }
}
