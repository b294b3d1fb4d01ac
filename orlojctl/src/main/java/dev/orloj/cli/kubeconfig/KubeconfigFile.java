package dev.orloj.cli.kubeconfig;

import dev.orloj.api.codec.DocumentReader;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.MalformedDocumentException;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Iterator;
import java.util.Optional;

/**
 * One file.
 *
 * @param root its document; changes of it are lost unless it is {@link #save saved}
 */
public record KubeconfigFile(Path path, ObjectNode root) {

    static final int MAX_BYTES = 8 * 1024 * 1024;

    /**
     * Reads a file; one that does not exist is empty.
     *
     * @throws IllegalArgumentException when it cannot be read
     */
    public static KubeconfigFile read(Path path) {
        if (!Files.exists(path)) {
            return new KubeconfigFile(path, Json.MAPPER.createObjectNode());
        }
        try {
            byte[] bytes = bytes(path);
            boolean isEmpty = new String(bytes, StandardCharsets.UTF_8).isBlank();
            return new KubeconfigFile(
                    path,
                    isEmpty
                            ? Json.MAPPER.createObjectNode()
                            : DocumentReader.readYaml(bytes).root());
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "kubeconfig \"%s\" cannot be read: %s".formatted(path, e.getMessage()), e);
        } catch (MalformedDocumentException e) {
            throw new IllegalArgumentException(
                    "kubeconfig \"%s\", line %d: %s".formatted(path, e.line(), e.getMessage()), e);
        }
    }

    static byte[] bytes(Path path) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new IOException("it is longer than %d bytes".formatted(MAX_BYTES));
            }
            return bytes;
        }
    }

    /**
     * Returns the content of an entry.
     *
     * @param list clusters, contexts or users
     */
    public Optional<JsonNode> entry(String list, String name) {
        return root.path(list)
                .valueStream()
                .filter(entry -> entry.path("name").asString("").equals(name))
                .map(entry -> entry.path(singular(list)))
                .findFirst();
    }

    /** Returns the content of an entry, which is added when there is none. */
    public ObjectNode putEntry(String list, String name) {
        ArrayNode entries = root.get(list) instanceof ArrayNode known ? known : root.putArray(list);
        for (JsonNode entry : entries) {
            if (entry instanceof ObjectNode object
                    && object.path("name").asString("").equals(name)) {
                return object.get(singular(list)) instanceof ObjectNode content
                        ? content
                        : object.putObject(singular(list));
            }
        }
        ObjectNode added = entries.addObject().put("name", name);
        return added.putObject(singular(list));
    }

    /** Removes an entry; returns whether there was one. */
    public boolean removeEntry(String list, String name) {
        boolean isRemoved = false;
        Iterator<JsonNode> entries = root.path(list).iterator();
        while (entries.hasNext()) {
            if (entries.next().path("name").asString("").equals(name)) {
                entries.remove();
                isRemoved = true;
            }
        }
        return isRemoved;
    }

    private static String singular(String list) {
        return list.substring(0, list.length() - 1);
    }

    /**
     * Replaces the file, readable for its owner only.
     *
     * @param text of the document
     */
    public void save(String text) throws IOException {
        Path target = Files.exists(path) ? path.toRealPath() : path.toAbsolutePath();
        Path folder = target.getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        Path fresh = Files.createTempFile(folder, "kubeconfig", ".new");
        try {
            Files.writeString(fresh, text);
            if (Files.getFileStore(fresh).supportsFileAttributeView("posix")) {
                Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-------"));
            }
            Files.move(fresh, target, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    /** Adds what every file begins with. */
    public void initialize() {
        if (!root.has("apiVersion")) {
            root.put("apiVersion", "v1").put("kind", "Config");
        }
    }
}
