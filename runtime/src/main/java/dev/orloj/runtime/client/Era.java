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
 * How requests to one server are written (2026-07-28, Versioning, "Terminology"): after a handshake
 * that both sides remember, or each with all that the server has to know. Immutable.
 */
public sealed interface Era {

    ProtocolRevision revision();

    /**
     * @param params changed on the way, unless null
     * @param mirrored headers made of arguments
     * @param capabilities what the server may ask for; sessions were told when they began
     */
    OutgoingRequest write(
            String method,
            @Nullable ObjectNode params,
            Map<String, String> mirrored,
            ClientCapabilities capabilities);

    /** A request of nobody but ourselves. */
    default OutgoingRequest write(String method, @Nullable ObjectNode params) {
        return write(method, params, Map.of(), ClientCapabilities.NONE);
    }

    /** A request without an effect, which every server answers. */
    String ping();

    /** Why a tool must not be offered, since its calls could not be written as it wants them. */
    default Optional<String> objection(ObjectNode tool, ServerAddress address) {
        return tool.path("execution").path("taskSupport").asString("").equals("required")
                ? Optional.of("it can be called as a task only, which Orloj does not offer")
                : Optional.empty();
    }

    /** Revisions that begin with {@code initialize}. */
    record Legacy(ProtocolRevision revision) implements Era {

        /**
         * Those of later rounds of a request, which these revisions do not know, and that which
         * makes a request a task, as no tasks were declared to clients (2025-11-25, Tasks,
         * "Capability Negotiation").
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
     * Revisions in which each request stands for itself.
     *
     * @param clientInfo who we are
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
            // Also before the transport knows what is spoken: the first request finds that out.
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

        /** Over HTTP, arguments may have to go into headers. */
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
