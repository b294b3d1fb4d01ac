package dev.orloj.cli.clientfile;

import dev.orloj.api.codec.Json;
import dev.orloj.api.signature.Sha256;
import dev.orloj.cli.output.FileErrors;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The original of a file that Orloj has changed, in a folder of its own.
 *
 * @param created whether there was no file before
 * @param written the digest of the text that Orloj wrote
 * @param moved what it changed
 */
public record Backup(Path folder, Path file, boolean created, String written, List<Moved> moved) {

    private static final String ORIGINAL = "original";
    private static final String RECORD = "backup.json";

    /**
     * Writes a backup.
     *
     * @param original empty for a file that was not there
     */
    static void write(
            Path folder, Path file, Optional<byte[]> original, byte[] written, List<Moved> moved)
            throws IOException {
        if (original.isPresent()) {
            FileReplacement.createPrivate(folder.resolve(ORIGINAL));
            Files.write(folder.resolve(ORIGINAL), original.get());
        }
        ObjectNode description =
                Json.MAPPER
                        .createObjectNode()
                        .put("file", file.toAbsolutePath().toString())
                        .put("created", original.isEmpty())
                        .put("written", Sha256.hex(written));
        ArrayNode changes = description.putArray("moved");
        moved.forEach(m -> changes.add(m.toJson()));
        Files.writeString(folder.resolve(RECORD), description.toPrettyString() + "\n");
    }

    /** Reads the backup in a folder; empty when it is incomplete. */
    static Optional<Backup> read(Path folder) {
        try {
            JsonNode description = Json.MAPPER.readTree(Files.readAllBytes(folder.resolve(RECORD)));
            String file = description.path("file").asString("");
            return file.isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            new Backup(
                                    folder,
                                    Path.of(file),
                                    description.path("created").asBoolean(false),
                                    description.path("written").asString(""),
                                    description
                                            .path("moved")
                                            .valueStream()
                                            .map(Moved::of)
                                            .toList()));
        } catch (IOException | JacksonException e) {
            return Optional.empty();
        }
    }

    /**
     * Writes the original back, or deletes a file that was not there, and removes the backup. In a
     * file that was changed since, only the entries come back.
     *
     * @param force whether to write the original over such a file, whose text is then kept beside
     *     it
     * @return whether the file is byte for byte as it was
     * @throws ClientFileException when the file cannot be written
     */
    public boolean restore(boolean force) {
        try {
            byte[] original = created ? new byte[0] : Files.readAllBytes(folder.resolve(ORIGINAL));
            Optional<byte[]> current =
                    Files.exists(file) ? Optional.of(Files.readAllBytes(file)) : Optional.empty();
            boolean isChanged = current.isPresent() && isChanged(current.get(), original);
            if (isChanged && force) {
                keepBeside(current.get());
            }
            boolean isWhole = !isChanged || force;
            if (isWhole && created) {
                Files.deleteIfExists(file);
            } else {
                FileReplacement.replace(
                        file, current, isWhole ? original : merged(original, current.get()));
            }
            forget(folder);
            return isWhole;
        } catch (IOException e) {
            throw new ClientFileException(
                    "%s cannot be restored: %s".formatted(file, FileErrors.reason(e)));
        }
    }

    /** Returns whether a client has written something else since. */
    private boolean isChanged(byte[] current, byte[] original) {
        boolean isOriginal = !created && Arrays.equals(current, original);
        return !Sha256.hex(current).equals(written) && !isOriginal;
    }

    /** The text may have secrets, and so may that of an earlier one, which is replaced. */
    private void keepBeside(byte[] changed) throws IOException {
        Path kept = file.resolveSibling(file.getFileName() + ".changed");
        Files.deleteIfExists(kept);
        FileReplacement.createPrivate(kept);
        Files.write(kept, changed);
    }

    private byte[] merged(byte[] original, byte[] current) {
        try {
            ClientFile before =
                    ClientFile.of(file.toString(), Optional.of(file), Optional.empty(), original);
            ClientFile result =
                    ClientFile.of(file.toString(), Optional.of(file), Optional.empty(), current);
            for (Moved move : moved) {
                result = move.undone(result, before.root());
            }
            return result.text().getBytes(StandardCharsets.UTF_8);
        } catch (ClientFileException e) {
            throw new ClientFileException(
                    created
                            ? "%s; or delete the file with --force".formatted(e.getMessage())
                            : "%s; or write the original over it with --force (it is %s)"
                                    .formatted(e.getMessage(), folder.resolve(ORIGINAL)));
        }
    }

    static void forget(Path folder) throws IOException {
        for (String name : List.of(RECORD, ORIGINAL)) {
            Files.deleteIfExists(folder.resolve(name));
        }
        Files.deleteIfExists(folder);
    }
}
