package dev.orloj.api.v1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;

import dev.orloj.api.Condition;
import dev.orloj.api.GoDuration;
import dev.orloj.api.Kind;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.Resource;
import dev.orloj.api.codec.Column;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.Schema;
import dev.orloj.api.v1.McpServer.ArgumentCheck;
import dev.orloj.api.v1.McpServerSpec.OutputLimits;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/**
 * One tool that clients may call. Tools of type {@code mcp} are generated from the tool list of a
 * server. Tools of type {@code http} are declared and have their own endpoint.
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonPropertyOrder({"apiVersion", "kind", "metadata", "spec", "status"})
public record Tool(
        String apiVersion, String kind, ObjectMeta metadata, Spec spec, @Nullable Status status)
        implements Resource {

    public static final Kind<Tool> KIND =
            new Kind<>("orloj.dev", "v1", "Tool", "tools", true, Tool.class);

    /** Value of {@link Spec#type} of generated Tools. */
    public static final String TYPE_MCP = "mcp";

    /** Value of {@link Spec#type} of declared Tools that can be called. */
    public static final String TYPE_HTTP = "http";

    /** Condition: the tool can be called, as far as its manifest and its Secrets show. */
    public static final String READY = "Ready";

    /** Label of generated Tools: the name of their server. */
    public static final String SERVER_LABEL = "orloj.dev/mcp-server";

    /** Label of generated Tools, always {@code true}. */
    public static final String GENERATED_LABEL = "orloj.dev/mcp-generated";

    public static final KindDescriptor<Tool> DESCRIPTOR =
            KindDescriptor.of(KIND, Schema.fromResource(Tool.class, "tool.schema.json"))
                    .shortNames("tl")
                    .categories("all", "orloj")
                    .withStatus()
                    .validator(ToolHttpRules::validate)
                    .selectable("spec.mcp_server_ref", "/spec/mcp_server_ref")
                    .selectable("spec.agent_name", "/spec/agent_name")
                    .columns(
                            Column.text(
                                    "Type",
                                    "How it is called: mcp or http",
                                    Column.at("/spec/type")),
                            Column.text(
                                    "Server", "Its McpServer", Column.at("/spec/mcp_server_ref")),
                            Column.text(
                                    "Agent Name",
                                    "The name that agents see",
                                    Column.at("/spec/agent_name")),
                            Column.text(
                                            "Description",
                                            "What the tool does",
                                            Tool::firstLineOfDescription)
                                    .near(".spec.description")
                                    .onlyWide())
                    .build();

    /**
     * The desired state of a tool. In JSON, the fields of all groups are those of one object.
     *
     * @param mcpServerRef the server, in the same namespace
     * @param mcpToolName the name of the tool on the server
     * @param agentName the name that clients see
     * @param definition as the server lists it
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonNaming(SnakeCaseStrategy.class)
    public record Spec(
            String type,
            String endpoint,
            String mcpServerRef,
            String mcpToolName,
            String agentName,
            @JsonUnwrapped ToolDefinition definition,
            List<String> capabilities,
            String riskLevel,
            @Nullable GoDuration timeout,
            @JsonUnwrapped OutputLimits output,
            @JsonUnwrapped Request request,
            @Nullable ArgumentCheck argumentCheck) {

        public Spec {
            type = orEmpty(type);
            endpoint = orEmpty(endpoint);
            mcpServerRef = orEmpty(mcpServerRef);
            mcpToolName = orEmpty(mcpToolName);
            agentName = orEmpty(agentName);
            capabilities = capabilities == null ? List.of() : List.copyOf(capabilities);
            riskLevel = orEmpty(riskLevel);
        }

        /**
         * Returns the spec of a new Tool for a definition.
         *
         * @param server name of the McpServer
         * @param agentName the name that clients will see
         * @param listed an element of the {@code tools} of a {@code tools/list} result; its {@code
         *     name} is a text
         */
        public static Spec of(String server, String agentName, ObjectNode listed) {
            return new Spec(
                    TYPE_MCP,
                    "",
                    server,
                    listed.path("name").asString(""),
                    agentName,
                    ToolDefinition.of(listed),
                    List.of(),
                    "low",
                    null,
                    OutputLimits.NONE,
                    Request.NONE,
                    null);
        }

        /** Replaces the fields that the definition sets. All other fields stay as they are. */
        public Spec redefined(String server, String newAgentName, ObjectNode listed) {
            return new Spec(
                    TYPE_MCP,
                    "",
                    server,
                    listed.path("name").asString(""),
                    newAgentName,
                    ToolDefinition.of(listed),
                    capabilities,
                    riskLevel,
                    timeout,
                    output,
                    request,
                    argumentCheck);
        }

        /** Returns the definition as it was received, equal as a JSON value. */
        public ObjectNode listed() {
            return definition.listed(mcpToolName);
        }

        private static String orEmpty(@Nullable String text) {
            return text == null ? "" : text;
        }
    }

    /**
     * The request to the endpoint of a Tool of type {@code http}.
     *
     * @param method the default where null
     * @param query parameters, after those of the endpoint
     * @param body with placeholders for arguments; null to send the arguments themselves
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Request(
            @Nullable Method method,
            @Nullable HttpAuth auth,
            List<McpServer.Header> headers,
            List<McpServer.Header> query,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable JsonNode body) {

        public static final Request NONE = new Request(null, null, List.of(), List.of(), null);

        public Request {
            headers = headers == null ? List.of() : List.copyOf(headers);
            query = query == null ? List.of() : List.copyOf(query);
        }
    }

    /** The methods of requests to an endpoint. */
    public enum Method {
        GET,
        POST,
        PUT,
        PATCH,
        DELETE
    }

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Status(
            String phase,
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) long observedGeneration,
            List<Condition> conditions) {

        public Status {
            phase = phase == null ? "" : phase;
            conditions = conditions == null ? List.of() : List.copyOf(conditions);
        }
    }

    public static Tool of(ObjectMeta metadata, Spec spec) {
        return new Tool(KIND.apiVersion(), KIND.name(), metadata, spec, null);
    }

    @Override
    public Tool withMetadata(ObjectMeta replacement) {
        return new Tool(apiVersion, kind, replacement, spec, status);
    }

    public Tool withSpec(Spec replacement) {
        return new Tool(apiVersion, kind, metadata, replacement, status);
    }

    public Tool withStatus(Status replacement) {
        return new Tool(apiVersion, kind, metadata, spec, replacement);
    }

    private static String firstLineOfDescription(ObjectNode document) {
        String text = document.at("/spec/description").asString("");
        return text.lines().findFirst().orElse("");
    }
}
