package dev.orloj.runtime.client;

import dev.orloj.runtime.transport.OutgoingRequest;
import dev.orloj.runtime.transport.ProtocolRevision;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.runtime.transport.http.HeaderValue;
import dev.orloj.runtime.transport.http.ParameterHeaders;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes the requests to one server (2026-07-28, Versioning, "Terminology"): either after a
 * handshake, or with the complete context in each request. Immutable.
 */
public sealed interface Era {

    ProtocolRevision revision();

    /**
     * @param params modified, unless null
     * @param mirrored headers that repeat arguments
     * @param capabilities what the server may request; in an era with sessions, the handshake
     *     declares them
     */
    OutgoingRequest write(
            String method,
            @Nullable ObjectNode params,
            Map<String, String> mirrored,
            ClientCapabilities capabilities);

    /** Writes a request of Orloj itself. */
    default OutgoingRequest write(String method, @Nullable ObjectNode params) {
        return write(method, params, Map.of(), ClientCapabilities.NONE);
    }

    /** Returns the method of a request without an effect, to which every server responds. */
    String ping();

    /**
     * Returns why a tool cannot be offered, because its calls cannot be written as it requires;
     * empty when it can.
     */
    default Optional<String> objection(ObjectNode tool, ServerAddress address) {
        return tool.path("execution").path("taskSupport").asString("").equals("required")
                ? Optional.of("it can be called as a task only, which Orloj does not offer")
                : Optional.empty();
    }

    /** Revisions that begin with {@code initialize}. */
    record Legacy(ProtocolRevision revision) implements Era {

        /**
         * The members of later rounds, which these revisions do not have, and of tasks, which were
         * not declared to clients (2025-11-25, Tasks, "Capability Negotiation").
         */
        private static final List<String> NOT_PASSED_ON =
                List.of("inputResponses", "requestState", "task");

        @Override
        public OutgoingRequest write(
                String method,
                @Nullable ObjectNode params,
                Map<String, String> mirrored,
                ClientCapabilities capabilities) {
            return new OutgoingRequest(
                    method, params == null ? null : params.without(NOT_PASSED_ON));
        }

        @Override
        public String ping() {
            return "ping";
        }
    }

    /**
     * Revisions in which each request carries its own context.
     *
     * @param clientInfo name and version of Orloj
     */
    record Modern(ProtocolRevision revision, ObjectNode clientInfo) implements Era {

        static final String META_PREFIX = "io.modelcontextprotocol/";
        static final String LOG_LEVEL = META_PREFIX + "logLevel";

        static Modern of(String clientVersion) {
            ObjectNode info = JsonNodeFactory.instance.objectNode();
            info.put("name", "orlojd").put("version", clientVersion);
            return new Modern(ProtocolRevision.V2026_07_28, info);
        }

        @Override
        public OutgoingRequest write(
                String method,
                @Nullable ObjectNode params,
                Map<String, String> mirrored,
                ClientCapabilities capabilities) {
            ObjectNode complete = params == null ? JsonNodeFactory.instance.objectNode() : params;
            ObjectNode meta =
                    complete.get("_meta") instanceof ObjectNode given
                            ? given
                            : complete.putObject("_meta");
            meta.put(META_PREFIX + "protocolVersion", revision.version());
            meta.set(META_PREFIX + "clientInfo", clientInfo);
            meta.set(META_PREFIX + "clientCapabilities", capabilities.toJson());
            return new OutgoingRequest(method, complete, headers(method, complete, mirrored));
        }

        private Map<String, String> headers(
                String method, ObjectNode params, Map<String, String> mirrored) {
            Map<String, String> headers = new LinkedHashMap<>(mirrored);
            // Set here too: the transport learns the revision from the first request only.
            headers.put("MCP-Protocol-Version", revision.version());
            headers.put("Mcp-Method", method);
            JsonNode name =
                    switch (method) {
                        case "tools/call", "prompts/get" -> params.path("name");
                        case "resources/read" -> params.path("uri");
                        default -> params.path("");
                    };
            if (name.isString()) {
                headers.put("Mcp-Name", HeaderValue.encode(name.asString()));
            }
            return headers;
        }

        @Override
        public String ping() {
            return VersionNegotiation.DISCOVER;
        }

        /** Over HTTP, some arguments may have to be repeated as headers. */
        @Override
        public Optional<String> objection(ObjectNode tool, ServerAddress address) {
            Optional<String> objection = Era.super.objection(tool, address);
            if (objection.isPresent() || !(address instanceof ServerAddress.Http)) {
                return objection;
            }
            try {
                ParameterHeaders.of(tool.path("inputSchema"));
                return Optional.empty();
            } catch (IllegalArgumentException e) {
                return Optional.of(String.valueOf(e.getMessage()));
            }
        }
    }
}
