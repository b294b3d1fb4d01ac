package dev.orloj.cli.call;

import dev.orloj.api.codec.Json;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.output.FileErrors;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;

/**
 * What {@code --save} keeps of a call in a folder: its arguments, for {@code replay}, and the
 * images and files of its result.
 *
 * @param arguments of the tool
 */
record SavedCall(String namespace, String tool, JsonNode arguments) {

    static final String FILE = "call.json";

    private static final int MAX_FILES = 10_000;
    private static final Map<String, String> ENDINGS =
            Map.of(
                    "image/png", "png",
                    "image/jpeg", "jpg",
                    "image/gif", "gif",
                    "image/webp", "webp",
                    "image/svg+xml", "svg",
                    "audio/wav", "wav",
                    "audio/mpeg", "mp3",
                    "application/pdf", "pdf",
                    "application/json", "json",
                    "text/html", "html");

    /** Writes the call, before it is made, so that a folder that cannot be written stops it. */
    void write(Path folder) {
        ObjectNode call =
                Json.MAPPER.createObjectNode().put("namespace", namespace).put("tool", tool);
        call.set("arguments", arguments);
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve(FILE), Json.MAPPER.writeValueAsString(call) + "\n");
        } catch (IOException e) {
            throw unwritable(folder, e);
        }
    }

    /**
     * Reads a call.
     *
     * @param name of the folder, or of the file in it
     */
    static SavedCall read(String name) {
        try {
            Path path = Path.of(name);
            JsonNode call =
                    Json.MAPPER.readTree(
                            Files.readAllBytes(
                                    Files.isDirectory(path) ? path.resolve(FILE) : path));
            if (call.path("arguments").isObject() && call.path("tool").isString()) {
                return new SavedCall(
                        call.path("namespace").asString(""),
                        call.path("tool").asString(),
                        call.path("arguments"));
            }
        } catch (IOException | InvalidPathException e) {
            throw new CommandException(
                    "cannot read the call \"%s\": %s; a call is kept with: orlojctl call TOOL --save DIR"
                            .formatted(name, FileErrors.reason(e)));
        } catch (JacksonException e) {
            // reported below
        }
        throw new CommandException(
                "\"%s\" holds no call that \"orlojctl call TOOL --save DIR\" kept".formatted(name));
    }

    /** Writes the images and files of a result, with names that the server does not choose. */
    static void writeContent(Context context, Path folder, JsonNode result) {
        int number = 1;
        for (JsonNode block : result.path("content")) {
            JsonNode resource = block.path("resource");
            JsonNode holder = resource.isObject() ? resource : block;
            String type = holder.path("mimeType").asString("");
            byte[] bytes = bytes(holder, resource.isObject());
            if (bytes.length > 0) {
                Path file = write(folder, number, ending(type, resource.has("text")), bytes);
                context.err().println("saved " + file);
            }
            number++;
        }
    }

    private static byte[] bytes(JsonNode holder, boolean isResource) {
        String data = holder.path(isResource ? "blob" : "data").asString("");
        try {
            return data.isEmpty() && isResource
                    ? holder.path("text").asString("").getBytes(StandardCharsets.UTF_8)
                    : Base64.getMimeDecoder().decode(data);
        } catch (IllegalArgumentException e) {
            throw new CommandException("the result has data that is not base64");
        }
    }

    private static String ending(String type, boolean isText) {
        String plain = type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        return ENDINGS.getOrDefault(plain, isText ? "txt" : "bin");
    }

    /** Writes a file that did not exist. */
    private static Path write(Path folder, int number, String ending, byte[] bytes) {
        for (int copy = 0; copy < MAX_FILES; copy++) {
            String suffix = copy == 0 ? "" : "-" + copy;
            Path file = folder.resolve("content-%d%s.%s".formatted(number, suffix, ending));
            try {
                return Files.write(
                        file, bytes, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            } catch (FileAlreadyExistsException e) {
                // an earlier result: it stays
            } catch (IOException e) {
                throw unwritable(file, e);
            }
        }
        throw new CommandException("\"" + folder + "\" is full of earlier results");
    }

    private static CommandException unwritable(Path path, IOException e) {
        return new CommandException(
                "cannot write \"%s\": %s".formatted(path, FileErrors.reason(e)));
    }
}
