package dev.orloj.api.codec;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Reads the manifests of a file: YAML or JSON, one document or many. Lists are unpacked. */
public final class ManifestReader {

    private ManifestReader() {}

    /**
     * Returns all valid manifests in order.
     *
     * @param source the name of the file in errors
     * @param errors receives the errors of a manifest, with file and line
     * @throws ManifestException when the file cannot be parsed
     */
    public static List<Manifest> read(String source, byte[] bytes, Consumer<String> errors) {
        checkEncoding(source, bytes);
        List<Document> documents;
        try {
            documents = DocumentReader.readStream(bytes);
        } catch (MalformedDocumentException e) {
            throw new ManifestException(
                    "%s, line %d: %s".formatted(source, e.line(), e.getMessage()));
        }
        List<Manifest> manifests = new ArrayList<>();
        for (int i = 0; i < documents.size(); i++) {
            Manifest manifest = new Manifest(source, i + 1, documents.get(i));
            try {
                check(manifest);
                if (isList(manifest.document().root())) {
                    unpack(manifest, manifests, errors);
                } else {
                    manifests.add(manifest);
                }
            } catch (ManifestException e) {
                errors.accept(e.getMessage());
            }
        }
        return manifests;
    }

    private static void checkEncoding(String source, byte[] bytes) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(8192);
        CoderResult result = decoder.decode(in, out, true);
        while (result.isOverflow()) {
            out.clear();
            result = decoder.decode(in, out, true);
        }
        if (result.isError()) {
            int line = 1;
            for (int i = 0; i < in.position(); i++) {
                line += bytes[i] == '\n' ? 1 : 0;
            }
            throw new ManifestException(
                    "%s, line %d: byte 0x%02x is not UTF-8 text; save the file as UTF-8"
                            .formatted(source, line, bytes[in.position()]));
        }
    }

    private static void check(Manifest manifest) {
        for (String duplicate : manifest.document().duplicates()) {
            throw new ManifestException(
                    "%s: field \"%s\" is given twice"
                            .formatted(manifest.locate(duplicate), duplicate));
        }
        for (String field : List.of("apiVersion", "kind")) {
            if (manifest.document().root().path(field).asString("").isBlank()) {
                throw new ManifestException(
                        "%s: \"%s\" is missing; a manifest starts with apiVersion and kind, such as apiVersion: orloj.dev/v1 and kind: McpServer"
                                .formatted(manifest.locate(field), field));
            }
        }
    }

    private static boolean isList(ObjectNode root) {
        return root.path("kind").asString("").endsWith("List") && root.path("items").isArray();
    }

    private static void unpack(Manifest list, List<Manifest> manifests, Consumer<String> errors) {
        int position = 0;
        for (JsonNode item : list.document().root().path("items")) {
            String path = "items[" + position++ + "]";
            if (!(item instanceof ObjectNode root)) {
                errors.accept(list.locate(path) + ": \"" + path + "\" is no object");
                continue;
            }
            Manifest manifest =
                    new Manifest(list.source(), list.index(), list.document().part(path, root));
            try {
                check(manifest);
                manifests.add(manifest);
            } catch (ManifestException e) {
                errors.accept(e.getMessage());
            }
        }
    }
}
