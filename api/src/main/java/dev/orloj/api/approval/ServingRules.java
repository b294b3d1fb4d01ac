package dev.orloj.api.approval;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;

import java.util.Set;

/**
 * Which definitions of tools are served: the {@code tool_policy} of an McpServer, or the rules of a
 * ToolPolicy. Without rules, every definition is.
 *
 * @param onNew for a tool that has not been served before. If null, {@code onChange} applies, but
 *     for the first tools of a server, which are accepted
 * @param onChange for a definition that differs from the one that was served last
 * @param onChangeOf exceptions from {@code onChange}
 * @param onRemove for a tool that the server no longer lists
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonNaming(SnakeCaseStrategy.class)
public record ServingRules(
        @Nullable PolicyAction onNew,
        @Nullable PolicyAction onChange,
        @Nullable ByChange onChangeOf,
        @Nullable RemovalAction onRemove) {

    /** Serves every definition. */
    static final ServingRules NONE = new ServingRules(null, null, null, null);

    /** What happens when a tool is no longer listed. Its Tool is deleted in both cases. */
    public enum RemovalAction {
        @JsonProperty("accept")
        ACCEPT,
        /** Records an event of type Warning. */
        @JsonProperty("warn")
        WARN
    }

    /** Actions by the class of a change. {@code on_change} applies where null. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record ByChange(
            @Nullable PolicyAction text,
            @Nullable PolicyAction compatible,
            @Nullable PolicyAction breaking,
            @Nullable PolicyAction annotations,
            @Nullable PolicyAction presentation,
            @Nullable PolicyAction runs) {}

    /**
     * @param first whether these are the first tools of the server
     */
    PolicyAction ofNew(boolean first) {
        if (onNew != null) {
            return onNew;
        }
        return first ? PolicyAction.ACCEPT : ofChanges();
    }

    /** Returns the strictest action for any of the changes. */
    PolicyAction of(Set<DefinitionChange> changes) {
        return changes.stream().map(this::of).reduce(PolicyAction.ACCEPT, PolicyAction::orStricter);
    }

    private PolicyAction of(DefinitionChange change) {
        PolicyAction exception =
                onChangeOf == null
                        ? null
                        : switch (change) {
                            case TEXT -> onChangeOf.text;
                            case COMPATIBLE -> onChangeOf.compatible;
                            case BREAKING -> onChangeOf.breaking;
                            case ANNOTATIONS -> onChangeOf.annotations;
                            case PRESENTATION -> onChangeOf.presentation;
                            case RUNS -> onChangeOf.runs;
                        };
        if (exception != null) {
            return exception;
        }
        // Some servers sign the addresses of their icons anew for each session.
        return change == DefinitionChange.PRESENTATION ? PolicyAction.ACCEPT : ofChanges();
    }

    private PolicyAction ofChanges() {
        return onChange == null ? PolicyAction.ACCEPT : onChange;
    }

    /** Returns whether the removal of a tool is an event of type Warning. */
    boolean warnsOfRemoval() {
        return onRemove == RemovalAction.WARN;
    }
}
