package dev.orloj.server.rest.resource;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.Status;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.codec.Document;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.rbac.Role;
import dev.orloj.server.audit.AuditFilter;
import dev.orloj.server.authorization.Authorizer;
import dev.orloj.server.processing.LateResponse;
import dev.orloj.server.processing.Processing;
import dev.orloj.server.registry.ApplyResult;
import dev.orloj.server.registry.Deletion;
import dev.orloj.server.registry.Part;
import dev.orloj.server.registry.Patch;
import dev.orloj.server.registry.ResourceReader;
import dev.orloj.server.registry.ResourceRegistry;
import dev.orloj.server.registry.WriteOptions;
import dev.orloj.server.registry.Written;
import dev.orloj.server.rest.http.HttpExchange;
import dev.orloj.server.rest.http.RequestBody;
import dev.orloj.server.rest.http.Responses;
import dev.orloj.server.rest.presentation.Presentation;
import dev.orloj.server.rest.request.DeleteParameters;
import dev.orloj.server.rest.request.ReadParameters;
import dev.orloj.server.rest.request.ServedKinds;
import dev.orloj.server.rest.request.Target;
import dev.orloj.server.rest.request.WriteParameters;
import dev.orloj.server.rest.watch.WatchEndpoint;
import dev.orloj.server.store.table.DocumentList;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The resource API, the same for every kind: the differences are in the descriptors. Paths, verbs,
 * parameters and responses are those of the Kubernetes API.
 */
@RestController
class ResourceEndpoint {

    private static final Set<String> READING = Set.of("GET", "HEAD");

    private static final String NAME = "/metadata/name";

    private static final String NOT_ENFORCED =
            "stored, but not enforced: orlojd runs with --insecure-allow-anonymous and without an"
                    + " HTTPS port, so every client may do everything; start it without that"
                    + " option";

    private final ServedKinds kinds;
    private final ResourceRegistry registry;
    private final WatchEndpoint watches;
    private final ScaleSubresource scales;
    private final Processing processing;
    private final InstantSource clock;
    private final boolean authorizes;

    ResourceEndpoint(
            ServedKinds kinds,
            ResourceRegistry registry,
            WatchEndpoint watches,
            ScaleSubresource scales,
            Processing processing,
            InstantSource clock,
            Optional<Authorizer> authorizer) {
        this.kinds = kinds;
        this.registry = registry;
        this.watches = watches;
        this.scales = scales;
        this.processing = processing;
        this.clock = clock;
        this.authorizes = authorizer.isPresent();
    }

    @RequestMapping({"/api/v1/**", "/apis/{group}/{version}/**"})
    void handle(HttpServletRequest request, HttpServletResponse response)
            throws IOException, InterruptedException {
        Target target = Target.of(request.getRequestURI(), kinds.scheme());
        if (target.kind().readOnly() && !READING.contains(request.getMethod())) {
            throw readOnly(target.kind());
        }
        LateResponse late = new LateResponse(response);
        HttpExchange exchange = HttpExchange.of(request, late);
        if (target instanceof Target.Collection collection && isWatch(exchange)) {
            watches.stream(collection, HttpExchange.of(request, response));
            return;
        }
        processing.run(request, () -> handle(target, exchange));
        late.send();
    }

    private static boolean isWatch(HttpExchange exchange) {
        return exchange.request().getMethod().equals("GET") && exchange.query().isOn("watch");
    }

    private Target handle(Target target, HttpExchange exchange) throws IOException {
        switch (target) {
            case Target.Collection collection -> handle(collection, exchange);
            case Target.Item item -> handle(item, exchange);
            case Target.Scaled scaled -> scales.handle(scaled, exchange);
        }
        return target;
    }

    private void handle(Target.Collection target, HttpExchange exchange) throws IOException {
        String method = exchange.request().getMethod();
        if (method.equals("GET") || method.equals("HEAD")) {
            list(target, exchange);
        } else if (method.equals("POST") && target.isWritable()) {
            create(target, exchange);
        } else if (method.equals("DELETE") && target.isDeletable()) {
            deleteAll(target, exchange);
        } else {
            throw notAllowed(target.kind());
        }
    }

    private void handle(Target.Item target, HttpExchange exchange) throws IOException {
        String method = exchange.request().getMethod();
        if (!isAllowed(method, target.part())) {
            throw notAllowed(target.kind());
        }
        switch (method) {
            case "GET", "HEAD" -> get(target, exchange);
            case "PUT" -> update(target, exchange);
            case "PATCH" -> patch(target, exchange);
            case "DELETE" -> delete(target, exchange);
            default -> throw notAllowed(target.kind());
        }
    }

    private static boolean isAllowed(String method, Part part) {
        return switch (part) {
            case RESOURCE -> true;
            case STATUS -> !method.equals("DELETE");
            case FINALIZERS -> method.equals("PUT");
        };
    }

    private void get(Target.Item target, HttpExchange exchange) throws IOException {
        Presentation presentation = presentation(target.kind(), exchange);
        ObjectNode document = kinds.reader(target.kind()).get(target.kind(), target.key());
        Responses.json(exchange.response(), 200, presentation.one(document));
    }

    private void list(Target.Collection target, HttpExchange exchange) throws IOException {
        Presentation presentation = presentation(target.kind(), exchange);
        ReadParameters parameters = ReadParameters.of(exchange.query());
        ListOptions options = parameters.in(target.namespace());
        ResourceReader reader = kinds.reader(target.kind());
        DocumentList page =
                parameters.isExact()
                        ? reader.listAt(target.kind(), options, parameters.atLeast())
                        : reader.list(target.kind(), options);
        Responses.largeJson(exchange, presentation.list(page));
    }

    private void create(Target.Collection target, HttpExchange exchange) throws IOException {
        Presentation presentation = presentation(target.kind(), exchange);
        WriteOptions options = WriteParameters.of(exchange);
        Document document = named(target.kind(), exchange.body().document());
        AuditFilter.noteName(exchange.request(), document.root().at(NAME).asString(""));
        Written written = registry.create(target.kind(), target.namespace(), document, options);
        AuditFilter.noteName(exchange.request(), written.document().at(NAME).asString(""));
        answer(exchange, 201, presentation, written);
    }

    private void update(Target.Item target, HttpExchange exchange) throws IOException {
        Presentation presentation = presentation(target.kind(), exchange);
        WriteOptions options = WriteParameters.of(exchange);
        Document document = named(target.kind(), exchange.body().document());
        if (isCreation(target, document)) {
            String namespace = target.key().namespace();
            Written created = registry.create(target.kind(), namespace, document, options);
            answer(exchange, 201, presentation, created);
            return;
        }
        Written written =
                registry.update(target.kind(), target.key(), target.part(), document, options);
        answer(exchange, 200, presentation, written);
    }

    /**
     * As in Kubernetes, typed clients may omit the kind of built-in resources, which the path
     * implies.
     *
     * @throws ApiException (BadRequest) when the document of a custom resource has no kind
     */
    private static Document named(KindDescriptor<?> kind, Document document) {
        if (kind.kind().isCustom() && document.root().path("kind").asString("").isEmpty()) {
            throw ApiException.badRequest(
                    "Object 'Kind' is missing: \"kind\" must be %s, \"apiVersion\" %s"
                            .formatted(kind.kind().name(), kind.kind().apiVersion()));
        }
        return document;
    }

    /** Whether an update may create the resource, which a few kinds allow. */
    private boolean isCreation(Target.Item target, Document document) {
        return target.kind().creatableByUpdate()
                && target.part() == Part.RESOURCE
                && document.root().at("/metadata/name").asString("").equals(target.key().name())
                && document.root().at("/metadata/resourceVersion").asString("").isEmpty()
                && registry.find(target.kind(), target.key()).isEmpty();
    }

    private void patch(Target.Item target, HttpExchange exchange) throws IOException {
        Presentation presentation = presentation(target.kind(), exchange);
        WriteOptions options = WriteParameters.of(exchange);
        RequestBody body = exchange.body();
        if (body.isApplied()) {
            apply(target, exchange, presentation, body);
            return;
        }
        Patch patch = body.patch(target.kind());
        if (exchange.query().isOn("force")) {
            throw new ApiException(
                    ErrorReason.INVALID, "force: Forbidden: it goes only with an apply patch");
        }
        Written written =
                registry.patch(target.kind(), target.key(), target.part(), patch, options);
        answer(exchange, 200, presentation, written);
    }

    private void apply(
            Target.Item target, HttpExchange exchange, Presentation presentation, RequestBody body)
            throws IOException {
        WriteOptions options = WriteParameters.ofApply(exchange);
        boolean force = exchange.query().isOn("force");
        ApplyResult applied =
                registry.apply(
                        target.kind(), target.key(), target.part(), body.applied(), force, options);
        if (prefersOutcome(exchange.request())) {
            exchange.response().setHeader("Orloj-Outcome", applied.effect().wireName());
        }
        answer(exchange, applied.created() ? 201 : 200, presentation, applied.written());
    }

    /** Whether a client requests ({@code Prefer: outcome}) what the apply changed. */
    private static boolean prefersOutcome(HttpServletRequest request) {
        return Collections.list(request.getHeaders("Prefer")).stream()
                .flatMap(header -> Stream.of(header.split(",")))
                .anyMatch(preference -> preference.strip().equalsIgnoreCase("outcome"));
    }

    private void delete(Target.Item target, HttpExchange exchange) throws IOException {
        KindDescriptor<?> kind = target.kind();
        Presentation presentation = presentation(kind, exchange);
        DeleteOptions options = DeleteParameters.of(exchange.query(), exchange.body());
        switch (registry.delete(kind, target.key(), options)) {
            case Deletion.Gone(ObjectNode last) -> {
                String uid = last.at("/metadata/uid").asString("");
                Status gone = Status.deleted(kind.kind(), target.key().name(), uid);
                Responses.json(exchange.response(), 200, gone);
            }
            case Deletion.Terminating(ObjectNode document) ->
                    Responses.json(exchange.response(), 200, presentation.one(document));
        }
    }

    private void deleteAll(Target.Collection target, HttpExchange exchange) throws IOException {
        Presentation presentation = presentation(target.kind(), exchange);
        ReadParameters parameters = ReadParameters.of(exchange.query());
        DeleteOptions options = DeleteParameters.of(exchange.query(), exchange.body());
        DocumentList deleted =
                registry.deleteAll(target.kind(), parameters.in(target.namespace()), options);
        Responses.json(exchange.response(), 200, presentation.list(deleted));
    }

    private Presentation presentation(KindDescriptor<?> kind, HttpExchange exchange) {
        return Presentation.negotiate(exchange, kind, clock);
    }

    private void answer(
            HttpExchange exchange, int status, Presentation presentation, Written written)
            throws IOException {
        Responses.warn(exchange.response(), written.warnings());
        if (!authorizes && isOfRoles(written.document())) {
            Responses.warn(exchange.response(), List.of(NOT_ENFORCED));
        }
        Responses.json(exchange.response(), status, presentation.one(written.document()));
    }

    private static boolean isOfRoles(ObjectNode document) {
        return document.path("apiVersion").asString("").startsWith(Role.GROUP + "/");
    }

    private static ApiException readOnly(KindDescriptor<?> kind) {
        return new ApiException(
                ErrorReason.METHOD_NOT_ALLOWED,
                "%s can only be read: orlojd itself keeps them".formatted(kind.kind()),
                Status.Details.of(kind.kind().group(), kind.kind().plural(), ""));
    }

    static ApiException notAllowed(KindDescriptor<?> kind) {
        return new ApiException(
                ErrorReason.METHOD_NOT_ALLOWED,
                "the server does not allow this method on the requested resource",
                Status.Details.of(kind.kind().group(), kind.kind().plural(), ""));
    }
}
