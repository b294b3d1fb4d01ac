package dev.orloj.controllers.httptool;

import dev.orloj.api.GoDuration;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.core.Secret;
import dev.orloj.api.core.SecretRef;
import dev.orloj.api.v1.HttpAuth;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.events.ConditionMessage;
import dev.orloj.controllers.mcpserver.definition.ReferencedValues;
import dev.orloj.controllers.mcpserver.definition.SpecPolicies;
import dev.orloj.controllers.mcpserver.definition.UnresolvedReferenceException;
import dev.orloj.controllers.policy.PolicyCheck;
import dev.orloj.controllers.secret.OperatorSecrets;
import dev.orloj.runtime.catalog.ToolEntry;
import dev.orloj.runtime.http.HttpTool;
import dev.orloj.runtime.http.InvalidTemplateException;
import dev.orloj.runtime.http.RequestParameter;
import dev.orloj.runtime.http.RequestTemplate;
import dev.orloj.runtime.transport.http.ParameterHeaders;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/** Resolves the manifest of a declared Tool to the template of its requests. Thread-safe. */
final class DeclaredToolResolver {

    static final String ENDPOINT_MISSING = "EndpointMissing";
    static final String TEMPLATE_INVALID = "TemplateInvalid";
    static final String TYPE_NOT_SUPPORTED = "TypeNotSupported";
    static final String MCP_SERVER_REF_MISSING = "McpServerRefMissing";

    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);
    private static final int LONGEST_AGENT_NAME = 64;

    private final Function<ResourceKey, Optional<Secret>> secrets;
    private final OperatorSecrets operatorSecrets;
    private final PolicyCheck policies;

    /**
     * @param secrets finds a Secret
     * @param operatorSecrets has values for Secrets that do not exist
     * @param policies what Tools may reach now
     */
    DeclaredToolResolver(
            Function<ResourceKey, Optional<Secret>> secrets,
            OperatorSecrets operatorSecrets,
            PolicyCheck policies) {
        this.policies = policies;
        this.secrets = secrets;
        this.operatorSecrets = operatorSecrets;
    }

    /** Returns the names of the Secrets that a Tool refers to. All are in its own namespace. */
    static Set<String> secretNames(Tool.Spec spec) {
        Tool.Request request = spec.request();
        Set<String> names = new TreeSet<>();
        if (request.auth() != null) {
            names.add(SecretRef.parse(request.auth().secretRef()).name());
        }
        Stream.concat(request.headers().stream(), request.query().stream())
                .filter(parameter -> !parameter.secretRef().isEmpty())
                .forEach(parameter -> names.add(SecretRef.parse(parameter.secretRef()).name()));
        return names;
    }

    /** Resolves a Tool. Empty for a tool of an MCP server. */
    Optional<DeclaredTool> resolve(Tool tool) {
        Tool.Spec spec = tool.spec();
        return switch (spec.type()) {
            case Tool.TYPE_MCP ->
                    spec.mcpServerRef().isEmpty()
                            ? refused(
                                    MCP_SERVER_REF_MISSING,
                                    "spec.mcp_server_ref is empty; give the name of an McpServer of"
                                            + " the namespace")
                            : Optional.empty();
            case Tool.TYPE_HTTP -> Optional.of(resolveHttp(tool));
            default ->
                    refused(
                            TYPE_NOT_SUPPORTED,
                            "Tools of spec.type \"%s\" cannot be called; use http with spec.endpoint, or an McpServer"
                                    .formatted(spec.type()));
        };
    }

    private static Optional<DeclaredTool> refused(String reason, String message) {
        return Optional.of(new DeclaredTool.Refused(reason, message));
    }

    private DeclaredTool resolveHttp(Tool tool) {
        Tool.Spec spec = tool.spec();
        if (spec.endpoint().isBlank()) {
            return new DeclaredTool.Refused(
                    ENDPOINT_MISSING,
                    "spec.endpoint is empty; give the URL that calls go to, such as"
                            + " https://api.example.com/items/{id}");
        }
        String objection = policies.objection(tool);
        if (!objection.isEmpty()) {
            return new DeclaredTool.Refused(PolicyCheck.VIOLATED, ConditionMessage.of(objection));
        }
        try {
            RequestTemplate request = request(tool);
            JsonNode given = spec.definition().inputSchema();
            if (given != null) {
                request.requireArguments(given);
            }
            JsonNode schema = given == null ? request.schema() : given;
            return new DeclaredTool.Callable(
                    new HttpTool(
                            tool.key(),
                            request,
                            timeout(spec),
                            SpecPolicies.argumentMode(spec.argumentCheck())),
                    entry(tool, schema));
        } catch (UnresolvedReferenceException e) {
            return new DeclaredTool.Refused(e.reason(), String.valueOf(e.getMessage()));
        } catch (InvalidTemplateException e) {
            return new DeclaredTool.Refused(TEMPLATE_INVALID, String.valueOf(e.getMessage()));
        }
    }

    private RequestTemplate request(Tool tool) {
        Tool.Request request = tool.spec().request();
        ReferencedValues values =
                ReferencedValues.ofTool(
                        name -> secrets.apply(new ResourceKey(tool.metadata().namespace(), name)),
                        operatorSecrets,
                        tool.metadata().namespace());
        List<RequestParameter> headers = parameters("headers", request.headers(), values);
        HttpAuth auth = request.auth();
        if (auth != null) {
            values.at("spec.auth.secretRef");
            String credential = values.headerValue(auth.secretRef());
            headers.add(new RequestParameter(auth.header(), auth.value(credential), true));
        }
        return RequestTemplate.of(
                request.method() == null ? Tool.Method.POST.name() : request.method().name(),
                tool.spec().endpoint(),
                parameters("query", request.query(), values),
                headers,
                request.body());
    }

    private static List<RequestParameter> parameters(
            String field, List<McpServer.Header> given, ReferencedValues values) {
        List<RequestParameter> parameters = new ArrayList<>();
        for (int i = 0; i < given.size(); i++) {
            McpServer.Header parameter = given.get(i);
            String literal = parameter.value();
            values.at("spec.%s[%d].secretRef", field, i);
            parameters.add(
                    literal == null
                            ? new RequestParameter(
                                    parameter.name(),
                                    values.headerValue(parameter.secretRef()),
                                    true)
                            : new RequestParameter(parameter.name(), literal, false));
        }
        return parameters;
    }

    private static Duration timeout(Tool.Spec spec) {
        return ofItsOwn(spec.timeout()).orElse(DEFAULT_TIMEOUT);
    }

    private static Optional<Duration> ofItsOwn(@Nullable GoDuration duration) {
        return Optional.ofNullable(duration)
                .map(GoDuration::toDuration)
                .filter(Duration::isPositive);
    }

    private static ToolEntry entry(Tool tool, JsonNode schema) {
        Tool.Spec spec = tool.spec();
        String name = tool.metadata().name();
        ObjectNode definition = spec.listed();
        definition.put("name", name);
        definition.set("inputSchema", schema);
        return new ToolEntry(
                tool.key(),
                tool.metadata().uid(),
                ToolEntry.noServer(tool.metadata().namespace()),
                name,
                spec.agentName().isEmpty() ? agentName(name) : spec.agentName(),
                schema,
                ofItsOwn(spec.timeout()),
                SpecPolicies.outputLimit(spec.output()),
                definition,
                ParameterHeaders.NONE,
                Objects.requireNonNullElse(tool.metadata().creationTimestamp(), Instant.MAX));
    }

    /**
     * Replaces dots, which names of resources may contain and names for clients may not. No
     * generated name is equal to the result, because every generated name contains two {@code _} in
     * a row.
     */
    private static String agentName(String name) {
        String text = name.replace('.', '_');
        return text.length() > LONGEST_AGENT_NAME
                ? text.substring(0, LONGEST_AGENT_NAME - 9)
                        + "_"
                        + "%08x".formatted(name.hashCode())
                : text;
    }
}
