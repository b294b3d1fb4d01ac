package dev.orloj.server.rest;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.codec.Document;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.Scale;
import dev.orloj.api.validation.FieldError;
import dev.orloj.api.validation.FieldPath;
import dev.orloj.server.registry.Part;
import dev.orloj.server.registry.Patch;
import dev.orloj.server.registry.ResourceRegistry;
import dev.orloj.server.registry.WriteOptions;
import dev.orloj.server.registry.Written;

import org.springframework.stereotype.Component;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Shows how many replicas a resource has and should have, in the one form that all kinds share
 * (autoscaling/v1), and takes the wanted number in that form.
 */
@Component
class ScaleSubresource {

    private static final String API_VERSION = "autoscaling/v1";
    private static final String KIND = "Scale";

    /** A patch is made against what was read; when that has moved on it is made again. */
    private static final int MAX_ATTEMPTS = 5;

    private final ResourceRegistry registry;

    ScaleSubresource(ResourceRegistry registry) {
        this.registry = registry;
    }

    void handle(Target.Scaled target, Exchange exchange) throws IOException {
        MediaTypes.requireJson(exchange.accepted());
        switch (exchange.request().getMethod()) {
            case "GET", "HEAD" -> {
                ObjectNode document = registry.get(target.kind(), target.key());
                Answers.json(exchange.response(), 200, view(target.scale(), document));
            }
            case "PUT" -> {
                ObjectNode wanted = RequestBody.read(exchange.request()).document().root();
                write(target, exchange, WriteParameters.of(exchange), _ -> wanted);
            }
            case "PATCH" -> patch(target, exchange, RequestBody.read(exchange.request()));
            default -> throw ResourceEndpoint.notAllowed(target.kind());
        }
    }

    /** A scale has one field: to apply it is to set that. */
    private void patch(Target.Scaled target, Exchange exchange, RequestBody body)
            throws IOException {
        if (body.isApplied()) {
            Patch applied = new Patch.Merge(body.applied());
            WriteOptions options = WriteParameters.ofApply(exchange);
            write(target, exchange, options, view -> applied.applyTo(unversioned(view)).root());
        } else {
            Patch patch = body.patch();
            WriteOptions options = WriteParameters.of(exchange);
            write(target, exchange, options, view -> patch.applyTo(view).root());
        }
    }

    private static ObjectNode unversioned(ObjectNode view) {
        view.withObject("/metadata").remove("resourceVersion");
        return view;
    }

    private void write(
            Target.Scaled target,
            Exchange exchange,
            WriteOptions options,
            UnaryOperator<ObjectNode> change)
            throws IOException {
        Written written = write(target, change, options);
        Answers.warn(exchange.response(), written.warnings());
        Answers.json(exchange.response(), 200, view(target.scale(), written.document()));
    }

    private Written write(
            Target.Scaled target, UnaryOperator<ObjectNode> change, WriteOptions options) {
        for (int attempt = 1; ; attempt++) {
            ObjectNode document = registry.get(target.kind(), target.key());
            ObjectNode wanted = change.apply(view(target.scale(), document));
            Patch patch = patch(target, wanted);
            try {
                return registry.patch(target.kind(), target.key(), Part.RESOURCE, patch, options);
            } catch (ApiException e) {
                if (e.reason() != ErrorReason.CONFLICT || attempt == MAX_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static ObjectNode view(Scale scale, ObjectNode document) {
        ObjectNode view = Json.MAPPER.createObjectNode();
        view.put("kind", KIND).put("apiVersion", API_VERSION);
        ObjectNode metadata = view.putObject("metadata");
        for (String field :
                List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
            JsonNode value = document.path("metadata").get(field);
            if (value != null) {
                metadata.set(field, value);
            }
        }
        view.putObject("spec").put("replicas", document.at(scale.specReplicas()).asInt(0));
        view.putObject("status")
                .put("replicas", scale.statusReplicas().applyAsInt(document))
                .put("selector", scale.selector().apply(document));
        return view;
    }

    /** What a wanted scale means for the resource; with the version that it is based on, if any. */
    private static Patch patch(Target.Scaled target, ObjectNode wanted) {
        requireText(wanted, "/apiVersion", API_VERSION);
        requireText(wanted, "/kind", KIND);
        requireText(wanted, "/metadata/name", target.key().name());
        ObjectNode patch = Json.MAPPER.createObjectNode();
        for (String field : List.of("uid", "resourceVersion")) {
            String value = wanted.path("metadata").path(field).asString("");
            if (!value.isEmpty()) {
                patch.withObject("/metadata").put(field, value);
            }
        }
        String pointer = target.scale().specReplicas();
        int last = pointer.lastIndexOf('/');
        patch.withObject(pointer.substring(0, last))
                .put(pointer.substring(last + 1), replicas(target, wanted));
        return new Patch.Merge(new Document(patch, List.of(), Map.of()));
    }

    private static void requireText(ObjectNode wanted, String pointer, String expected) {
        JsonNode value = wanted.at(pointer);
        if (!value.asString(expected).equals(expected)) {
            throw ApiException.badRequest(
                    "%s: this path takes %s, found %s"
                            .formatted(pointer.substring(1).replace('/', '.'), expected, value));
        }
    }

    /** Typed clients leave a zero out. */
    private static int replicas(Target.Scaled target, ObjectNode wanted) {
        JsonNode replicas = wanted.at("/spec/replicas");
        if (replicas.isMissingNode() || replicas.isNull()) {
            return 0;
        }
        if (!replicas.isIntegralNumber()
                || !replicas.canConvertToInt()
                || replicas.intValue() < 0) {
            throw ApiException.invalid(
                    target.kind().kind(),
                    target.key().name(),
                    List.of(
                            FieldError.invalid(
                                    FieldPath.of("spec", "replicas"),
                                    replicas,
                                    "must be a whole number, 0 or more")));
        }
        return replicas.intValue();
    }
}
