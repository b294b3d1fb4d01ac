package dev.orloj.server.mcp.protocol;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Request;
import dev.orloj.runtime.transport.ProtocolRevision;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Map;
import java.util.Optional;

/**
 * Reads requests of revision 2026-07-28. Each names its revision in its {@code _meta} and repeats
 * in headers what proxies use. Both must match, because a proxy acts on the headers and the gateway
 * on the body.
 */
public final class StatelessRequests {

    /** The methods that repeat their subject in a header, and the member that names it. */
    private static final Map<String, String> NAMED_BY =
            Map.of("tools/call", "name", "prompts/get", "name", "resources/read", "uri");

    private StatelessRequests() {}

    /**
     * Returns whether the headers of an HTTP request without a JSON-RPC request declare this
     * revision.
     */
    public static boolean isClaimedBy(RequestHeaders headers) {
        return headers.protocolVersion().flatMap(ClientEra.Modern::of).isPresent();
    }

    /** Returns whether a request declares this revision, valid or not. */
    public static boolean isClaimedBy(Request request, RequestHeaders headers) {
        if (metaOf(request).has(ReservedMeta.PROTOCOL_VERSION)) {
            return true;
        }
        Optional<String> version = headers.protocolVersion();
        return version.isPresent()
                && (ProtocolRevision.of(version.get()).isPresent()
                        ? ClientEra.Modern.of(version.get()).isPresent()
                        : !request.method().equals("initialize"));
    }

    /**
     * @throws ProtocolError when required members are missing, the revision is unsupported, or the
     *     headers differ from the body
     */
    public static ClientRequest read(EndpointScope scope, Request request, RequestHeaders headers) {
        JsonNode meta = metaOf(request);
        ClientEra era = era(meta, headers);
        if (!meta.path(ReservedMeta.CLIENT_CAPABILITIES).isObject()) {
            throw missing(ReservedMeta.CLIENT_CAPABILITIES, "an object");
        }
        require(RequestHeaders.METHOD, headers.method(), request.method());
        ObjectNode params = (ObjectNode) request.params();
        String member = NAMED_BY.get(request.method());
        if (member != null && params != null && params.path(member).isString()) {
            require(RequestHeaders.NAME, headers.name(), params.path(member).asString());
        }
        return new ClientRequest(
                scope,
                era,
                request.id(),
                request.method(),
                params == null ? Json.MAPPER.createObjectNode() : params,
                headers);
    }

    private static ClientEra era(JsonNode meta, RequestHeaders headers) {
        Optional<String> header = headers.protocolVersion();
        String spoken = header.orElse("");
        JsonNode version = meta.path(ReservedMeta.PROTOCOL_VERSION);
        if (!version.isString()) {
            throw ProtocolRevision.of(spoken).isPresent()
                    ? missing(ReservedMeta.PROTOCOL_VERSION, "a text")
                    : ProtocolError.unsupportedVersion(spoken);
        }
        require(RequestHeaders.PROTOCOL_VERSION, header, version.asString());
        return ClientEra.Modern.of(spoken)
                .orElseThrow(() -> ProtocolError.unsupportedVersion(spoken));
    }

    private static JsonNode metaOf(Request request) {
        JsonNode params = request.params();
        return params == null ? Json.MAPPER.missingNode() : params.path(ReservedMeta.MEMBER);
    }

    private static void require(String header, Optional<String> given, String body) {
        if (given.isEmpty()) {
            throw ProtocolError.headerMismatch(
                    "\"%s\" is missing, and the body says \"%s\"".formatted(header, body));
        }
        if (!given.get().equals(body)) {
            throw ProtocolError.headerMismatch(
                    "\"%s\" is \"%s\", and the body says \"%s\""
                            .formatted(header, given.get(), body));
        }
    }

    private static ProtocolError missing(String key, String type) {
        return ProtocolError.invalidMeta(
                "\"params._meta\" must have \"%s\", which is %s".formatted(key, type));
    }
}
