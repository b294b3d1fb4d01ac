package dev.orloj.cli.manifest;

import dev.orloj.api.Kind;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.DocumentCheck;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.Manifest;
import dev.orloj.api.core.Namespace;
import dev.orloj.api.v1.Kinds;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Suggestions;
import dev.orloj.cli.output.Text;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A manifest and the resource that it describes.
 *
 * @param document the request body, with its namespace filled in
 */
public record Submission(
        Manifest manifest, KindDescriptor<?> descriptor, ResourceKey key, ObjectNode document) {

    public Kind<?> kind() {
        return descriptor.kind();
    }

    /** Returns the resource as {@code mcpserver.orloj.dev/everything}. */
    public String display() {
        return Text.qualified(kind()) + "/" + key.name();
    }

    /**
     * Returns a message such as {@code server.yaml, document 2, line 14: spec.transport: Required
     * value}.
     */
    public String locate(String field, String message) {
        return "%s: %s%s"
                .formatted(manifest.locate(field), field.isEmpty() ? "" : field + ": ", message);
    }

    /** Returns the errors that can be detected without a server. */
    public List<String> check(boolean refuseUnknownFields) {
        DocumentCheck check = DocumentCheck.of(descriptor, document);
        List<String> errors = new ArrayList<>();
        if (refuseUnknownFields) {
            check.unknownFields().forEach(field -> errors.add(unknown(field)));
        }
        check.errors().forEach(e -> errors.add(locate(e.path().toString(), e.message())));
        return errors;
    }

    /**
     * Returns a message such as {@code server.yaml, document 2, line 14: unknown field
     * "spec.comand"}.
     */
    public String unknown(String field) {
        return "%s: unknown field \"%s\"%s"
                .formatted(
                        manifest.locate(field),
                        field,
                        FieldGuess.of(descriptor.schema().root(), field)
                                .map("; did you mean \"%s\"?"::formatted)
                                .orElse(""));
    }

    /**
     * Returns the resources that manifests describe; namespaces come first, because other resources
     * need them.
     *
     * @param named the namespace of the command line
     * @param usual the namespace of manifests that name none
     * @param errors receives an error for every manifest of an unknown kind
     */
    static List<Submission> of(
            List<Manifest> manifests,
            Optional<String> named,
            Supplier<String> usual,
            List<String> errors) {
        List<Submission> submissions = new ArrayList<>();
        for (Manifest manifest : manifests) {
            try {
                submissions.add(of(manifest, named, usual));
            } catch (CommandException e) {
                errors.add(e.getMessage());
            }
        }
        submissions.sort(Comparator.comparing(s -> !s.kind().equals(Namespace.KIND)));
        return submissions;
    }

    private static Submission of(
            Manifest manifest, Optional<String> named, Supplier<String> usual) {
        ObjectNode document = manifest.document().root().deepCopy();
        KindDescriptor<?> descriptor = descriptor(manifest, document);
        if (!(document.path("metadata") instanceof ObjectNode metadata)
                || !metadata.path("name").isString()
                || metadata.path("name").asString().isEmpty()) {
            throw new CommandException(manifest.locate("metadata") + ": metadata.name is missing");
        }
        String written = metadata.path("namespace").asString("");
        if (!descriptor.kind().namespaced()) {
            metadata.remove("namespace");
            written = "";
        } else if (written.isEmpty()) {
            written = named.orElseGet(usual);
            metadata.put("namespace", written);
        } else if (named.isPresent() && !named.get().equals(written)) {
            throw new CommandException(
                    "%s: the manifest says namespace \"%s\", the command line \"%s\""
                            .formatted(
                                    manifest.locate("metadata.namespace"), written, named.get()));
        }
        document.remove("status");
        return new Submission(
                manifest,
                descriptor,
                new ResourceKey(written, metadata.path("name").asString()),
                document);
    }

    private static KindDescriptor<?> descriptor(Manifest manifest, ObjectNode document) {
        String apiVersion = document.path("apiVersion").asString("");
        String kind = document.path("kind").asString("");
        Optional<KindDescriptor<?>> found = Kinds.SCHEME.findKind(apiVersion, kind);
        if (found.isPresent()) {
            return found.get();
        }
        String hint =
                Kinds.SCHEME
                        .findName(kind)
                        .map(
                                d ->
                                        "; did you mean apiVersion: %s, kind: %s?"
                                                .formatted(d.kind().apiVersion(), d.kind().name()))
                        .orElseGet(() -> closest(kind));
        throw new CommandException(
                "%s: no kind \"%s\" in \"%s\"%s"
                        .formatted(manifest.locate("kind"), kind, apiVersion, hint));
    }

    private static String closest(String kind) {
        List<String> singulars =
                Kinds.SCHEME.descriptors().stream().map(d -> d.kind().singular()).toList();
        return Suggestions.closest(kind, singulars)
                .flatMap(Kinds.SCHEME::findName)
                .map(d -> "; did you mean \"" + d.kind().name() + "\"?")
                .orElse("");
    }
}
