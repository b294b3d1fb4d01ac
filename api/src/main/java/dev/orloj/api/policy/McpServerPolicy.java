package dev.orloj.api.policy;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

import dev.orloj.api.Kind;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.Resource;
import dev.orloj.api.codec.Column;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.Schema;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Limits what McpServers, Sandboxes and declared Tools of the selected namespaces run and reach.
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonPropertyOrder({"apiVersion", "kind", "metadata", "spec"})
public record McpServerPolicy(String apiVersion, String kind, ObjectMeta metadata, Spec spec)
        implements Resource {

    public static final Kind<McpServerPolicy> KIND =
            new Kind<>(
                    "orloj.dev",
                    "v1",
                    "McpServerPolicy",
                    "mcpserverpolicies",
                    false,
                    McpServerPolicy.class);

    public static final KindDescriptor<McpServerPolicy> DESCRIPTOR =
            KindDescriptor.of(
                            KIND,
                            Schema.fromResource(
                                    McpServerPolicy.class, "mcpserverpolicy.schema.json"))
                    .validator(PolicyValidation::validate)
                    .columns(
                            Column.text(
                                    "Rules", "What the policy limits", McpServerPolicy::shownRules))
                    .build();

    /**
     * The rules. One that is null limits nothing.
     *
     * @param namespaceSelector null for all namespaces
     * @param hosting the ways to run a server
     * @param engine what runs servers; null for {@link Engine#AUTO}
     * @param commands of programs on the host and in attached containers
     * @param images of servers and Sandboxes
     * @param endpoints of servers over HTTP and declared Tools
     * @param env of programs, wherever they run, and of Sandboxes
     * @param mounts of Sandboxes
     * @param network of containers of servers and of Sandboxes
     * @param ceilings of containers of servers, of Sandboxes, and of sessions
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonNaming(SnakeCaseStrategy.class)
    public record Spec(
            @Nullable NamespaceSelector namespaceSelector,
            @Nullable List<Way> hosting,
            @Nullable Engine engine,
            @Nullable List<CommandRule> commands,
            @Nullable ImageRule images,
            @Nullable EndpointHosts endpoints,
            @Nullable VariableRule env,
            @Nullable MountRule mounts,
            @Nullable NetworkRule network,
            @Nullable CeilingRule ceilings) {

        public Spec {
            hosting = hosting == null ? null : List.copyOf(hosting);
            commands = commands == null ? null : List.copyOf(commands);
        }

        /** Returns why no rule for commands allows the words; empty if one does. */
        public List<String> objections(List<String> words) {
            if (commands == null) {
                return List.of();
            }
            List<String> objections = new ArrayList<>();
            for (CommandRule rule : commands) {
                if (rule.objection(words).isEmpty()) {
                    return List.of();
                }
                if (rule.matches(words)) {
                    rule.objection(words).ifPresent(objections::add);
                }
            }
            return objections.isEmpty()
                    ? List.of(
                            commands.stream()
                                    .map(CommandRule::command)
                                    .collect(Collectors.joining(", ", "allowed commands: ", "")))
                    : objections;
        }
    }

    /** Returns whether the policy applies to a namespace with these labels. */
    public boolean selects(Map<String, String> labels) {
        return spec.namespaceSelector() == null || spec.namespaceSelector().matches(labels);
    }

    @Override
    public McpServerPolicy withMetadata(ObjectMeta replacement) {
        return new McpServerPolicy(apiVersion, kind, replacement, spec);
    }

    private static String shownRules(ObjectNode policy) {
        return policy.path("spec")
                .propertyStream()
                .map(Map.Entry::getKey)
                .filter(name -> !name.equals("namespace_selector"))
                .sorted()
                .collect(Collectors.joining(","));
    }
}
