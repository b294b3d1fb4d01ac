package dev.orloj.server.rest.server;

import dev.orloj.api.codec.Json;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerSpec;
import dev.orloj.runtime.container.image.ImageDeclaration;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A manifest merged with the declaration of its image, and the origin of each part. References to
 * Secrets stay references.
 *
 * @param declaration empty when the image is not on this host
 */
record MergedServer(McpServer server, Optional<ImageDeclaration> declaration) {

    private static final String MANIFEST = "manifest";
    private static final String DECLARATION = "declaration of the image";
    private static final String ENTRYPOINT = "entrypoint of the image";

    ObjectNode document() {
        ObjectNode document = Json.MAPPER.createObjectNode();
        document.put("kind", "MergedMcpServer").put("apiVersion", McpServer.KIND.apiVersion());
        document.putObject("metadata")
                .put("namespace", server.metadata().namespace())
                .put("name", server.metadata().name());
        document.put("image", image().name());
        ObjectNode merged = Json.MAPPER.createObjectNode();
        ObjectNode from = Json.MAPPER.createObjectNode();
        mergeProgram(merged, from);
        env(merged, from);
        document.set("merged", merged);
        document.set("from", from);
        declaration.ifPresent(d -> document.set("declared", Json.MAPPER.valueToTree(d)));
        List<String> notes = notes();
        if (!notes.isEmpty()) {
            document.set("notes", Json.MAPPER.valueToTree(notes));
        }
        return document;
    }

    private McpServerSpec.Program program() {
        return server.spec().program();
    }

    private McpServerSpec.Image image() {
        return server.spec().container().image();
    }

    private boolean hasProgram() {
        return !program().command().isBlank() || !program().args().isEmpty();
    }

    private boolean hasEnv() {
        return !program().env().isEmpty() || !program().envFrom().isEmpty();
    }

    private boolean isTrusted() {
        return Boolean.TRUE.equals(image().trustImageConfig());
    }

    private void mergeProgram(ObjectNode merged, ObjectNode from) {
        if (declaration.filter(d -> d.givesProgram(hasProgram(), isTrusted())).isPresent()) {
            merged.set("command", Json.MAPPER.valueToTree(declaration.get().command()));
            merged.set("args", Json.MAPPER.valueToTree(declaration.get().args()));
            from.put("command", DECLARATION).put("args", DECLARATION);
            return;
        }
        if (!program().command().isBlank()) {
            merged.put("command", program().command());
        }
        if (!program().args().isEmpty()) {
            merged.set("args", Json.MAPPER.valueToTree(program().args()));
        }
        from.put("command", program().command().isBlank() ? ENTRYPOINT : MANIFEST);
        from.put("args", hasProgram() ? MANIFEST : ENTRYPOINT);
    }

    private void env(ObjectNode merged, ObjectNode from) {
        if (declaration.filter(d -> d.givesEnv(hasEnv())).isPresent()) {
            merged.set("env", Json.MAPPER.valueToTree(declaration.get().env()));
            from.put("env", DECLARATION);
        } else if (hasEnv()) {
            merged.set("env", Json.MAPPER.valueToTree(program().env()));
            merged.set("env_from", Json.MAPPER.valueToTree(program().envFrom()));
            from.put("env", MANIFEST);
        }
    }

    /** Why parts of the image's declaration do not apply. */
    private List<String> notes() {
        if (declaration.isEmpty()) {
            return List.of("the image is not on this host yet, so what it declares is not known");
        }
        ImageDeclaration offered = declaration.get();
        List<String> notes = new ArrayList<>();
        boolean offersProgram = !offered.command().isEmpty() || !offered.args().isEmpty();
        if (offersProgram && hasProgram()) {
            notes.add("command and args of the image are replaced by those of the manifest");
        } else if (offersProgram && !isTrusted()) {
            notes.add(
                    "command and args of the image are not taken: the manifest does not say"
                            + " trust_image_config: true");
        }
        if (!offered.env().isEmpty() && hasEnv()) {
            notes.add("env of the image is replaced as a whole by that of the manifest");
        }
        return notes;
    }
}
