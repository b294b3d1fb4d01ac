package dev.orloj.server.rest.resource;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.codec.Document;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.Scale;
import dev.orloj.server.registry.ApplyResult;
import dev.orloj.server.registry.Part;
import dev.orloj.server.registry.Patch;
import dev.orloj.server.registry.ResourceRegistry;
import dev.orloj.server.registry.WriteOptions;
import dev.orloj.server.registry.Written;
import dev.orloj.server.rest.http.HttpExchange;
import dev.orloj.server.rest.http.MediaTypes;
import dev.orloj.server.rest.http.RequestBody;
import dev.orloj.server.rest.http.Responses;
import dev.orloj.server.rest.request.Target;
import dev.orloj.server.rest.request.WriteParameters;

import org.springframework.stereotype.Component;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Serves the actual and the desired number of replicas in the form that all kinds share
 * (autoscaling/v1), and accepts the desired number in that form.
 */
@Component
class ScaleSubresource {

    private static final String API_VERSION = "autoscaling/v1";
    private static final String KIND = "Scale";
    private static final String SUBRESOURCE = "scale";

    /** Repeats a patch when the resource has changed since it was read. */
    private static final int MAX_ATTEMPTS = 5;

    private final ResourceRegistry registry;

    ScaleSubresource(ResourceRegistry registry) {
        this.registry = registry;
    }

    void handle(Target.Scaled target, HttpExchange exchange) throws IOException {
        MediaTypes.requireJson(exchange.accepted());
        switch (exchange.request().getMethod()) {
            case "GET", "HEAD" -> {
                ObjectNode document = registry.get(target.kind(), target.key());
                Responses.json(exchange.response(), 200, view(target.scale(), document));
            }
            case "PUT" -> {
                ObjectNode wanted = exchange.body().document().root();
                write(target, exchange, _ -> wanted);
            }
            case "PATCH" -> {
                RequestBody body = exchange.body();
                if (body.isApplied()) {
                    apply(target, exchange, body.applied().root());
                    return;
                }
                Patch patch = body.patch();
                write(target, exchange, view -> patch.applyTo(view).root());
            }
            default -> throw ResourceEndpoint.notAllowed(target.kind());
        }
    }

    private void write(
            Target.Scaled target, HttpExchange exchange, UnaryOperator<ObjectNode> change)
            throws IOException {
        WriteOptions options = WriteParameters.of(exchange).through(SUBRESOURCE);
        answer(target, exchange, write(target, change, options));
    }

    private void apply(Target.Scaled target, HttpExchange exchange, ObjectNode wanted)
            throws IOException {
        WriteOptions options = WriteParameters.ofApply(exchange).through(SUBRESOURCE);
        ObjectNode config = change(target, wanted);
        if (wanted.at("/spec/replicas").isMissingNode()) {
            config.remove("spec");
        }
        config.put("apiVersion", target.kind().kind().apiVersion());
        config.put("kind", target.kind().kind().name());
        Document document = new Document(config, List.of(), Map.of());
        boolean force = exchange.query().isOn("force");
        ApplyResult applied =
                registry.apply(
                        target.kind(), target.key(), Part.RESOURCE, document, force, options);
        answer(target, exchange, applied.written());
    }

    private static void answer(Target.Scaled target, HttpExchange exchange, Written written)
            throws IOException {
        Responses.warn(exchange.response(), written.warnings());
        Responses.json(exchange.response(), 200, view(target.scale(), written.document()));
    }

    private Written write(
            Target.Scaled target, UnaryOperator<ObjectNode> change, WriteOptions options) {
        for (int attempt = 1; ; attempt++) {
            ObjectNode document = registry.get(target.kind(), target.key());
            ObjectNode wanted = change.apply(view(target.scale(), document));
            Patch patch =
                    new Patch.Merge(new Document(change(target, wanted), List.of(), Map.of()));
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

    /** Applies a desired scale to the resource; with the version that it is based on, if any. */
    private static ObjectNode change(Target.Scaled target, ObjectNode wanted) {
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
        return patch;
    }

    private static void requireText(ObjectNode wanted, String pointer, String expected) {
        JsonNode value = wanted.at(pointer);
        if (!value.asString(expected).equals(expected)) {
            throw ApiException.badRequest(
                    "%s: this path takes %s, found %s"
                            .formatted(pointer.substring(1).replace('/', '.'), expected, value));
        }
    }

    /** Typed clients omit a zero. */
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
