package dev.orloj.server.rest.system;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.codec.Json;
import dev.orloj.server.openapi.GnosticDocument;
import dev.orloj.server.openapi.OpenApiDocuments;
import dev.orloj.server.rest.http.CacheableDocument;
import dev.orloj.server.rest.http.MediaTypes;
import dev.orloj.server.rest.http.QueryParameters;
import dev.orloj.server.rest.request.ServedKinds;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Serves the schemas of all kinds, made on the first request. */
@RestController
class OpenApiEndpoint {

    private static final String V3 = "/openapi/v3/";
    private static final String V2_PROTOBUF =
            "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

    /** With a dot for the @, which Go's parser of media types refuses. */
    private static final String V2_PROTOBUF_ANSWER =
            "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

    private final OpenApiDocuments documents;
    private final Map<String, CacheableDocument> made = new ConcurrentHashMap<>();

    OpenApiEndpoint(ServedKinds kinds) {
        this.documents = new OpenApiDocuments(kinds.scheme());
    }

    @GetMapping("/openapi/v3")
    void index(HttpServletRequest request, HttpServletResponse response) throws IOException {
        made.computeIfAbsent("index", _ -> CacheableDocument.json(makeIndex()))
                .send(request, response);
    }

    private ObjectNode makeIndex() {
        ObjectNode index = Json.MAPPER.createObjectNode();
        ObjectNode paths = index.putObject("paths");
        for (String groupVersion : documents.groupVersions()) {
            String hash = CacheableDocument.json(documents.v3(groupVersion)).hash();
            paths.putObject(groupVersion)
                    .put("serverRelativeURL", V3 + groupVersion + "?hash=" + hash);
        }
        return index;
    }

    @GetMapping(V3 + "**")
    void groupVersion(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String groupVersion = request.getRequestURI().substring(V3.length());
        if (!documents.groupVersions().contains(groupVersion)) {
            throw new ApiException(
                    ErrorReason.NOT_FOUND, "the server could not find the requested resource");
        }
        if (QueryParameters.parse(request.getQueryString()).has("hash")) {
            response.setHeader("Cache-Control", "public, immutable, max-age=31536000");
        }
        made.computeIfAbsent(groupVersion, gv -> CacheableDocument.json(documents.v3(gv)))
                .send(request, response);
    }

    @GetMapping("/openapi/v2")
    void v2(HttpServletRequest request, HttpServletResponse response) throws IOException {
        for (MediaTypes.MediaType type : MediaTypes.accepted(request.getHeader("Accept"))) {
            if (type.name().equals(V2_PROTOBUF)) {
                made.computeIfAbsent("v2 protobuf", _ -> makeV2Protobuf()).send(request, response);
                return;
            }
            if (type.isJson()) {
                made.computeIfAbsent("v2", _ -> CacheableDocument.json(documents.v2()))
                        .send(request, response);
                return;
            }
        }
        throw MediaTypes.notAcceptable(MediaTypes.JSON, V2_PROTOBUF);
    }

    private CacheableDocument makeV2Protobuf() {
        return CacheableDocument.of(V2_PROTOBUF_ANSWER, GnosticDocument.of(documents.v2()));
    }
}
