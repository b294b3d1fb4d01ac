package dev.orloj.api.approval;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.TreeMap;

/**
 * The {@code tool_policy} of an McpServer.
 *
 * @param pins if given, the only definitions that are served: digests by the texts of their {@link
 *     DefinitionName}s
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ServerToolPolicy(
        @JsonUnwrapped ServingRules rules, @Nullable Map<String, String> pins) {

    public ServerToolPolicy {
        rules = rules == null ? ServingRules.NONE : rules;
        pins = pins == null ? null : new TreeMap<>(pins);
    }
}
