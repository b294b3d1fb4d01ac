package dev.orloj.api.v1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

import dev.orloj.api.Condition;
import dev.orloj.api.findings.FindingSummary;
import dev.orloj.api.report.Report;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.List;

/**
 * The observed state of an {@link McpServer}.
 *
 * @param discoveredTools names of the tools that the server offers, sorted; the first {@link
 *     #MAX_NAMES} of them
 * @param generatedTools names of the Tool resources created from them, likewise
 * @param lastSyncedAt when the tools were last listed and the Tools written; failures do not change
 *     it
 * @param observedRestart the latest restart that is complete
 * @param serverInfo the {@code serverInfo} of the server, as clients get it
 * @param capabilities its capabilities, as received
 * @param instructions its instructions for models, as clients get them
 * @param sessions absent until a session has ended by itself
 * @param sandbox the isolation of its latest container
 * @param toolCount the number of Tool resources
 * @param gateways ids of the gateways that the tools come through
 * @param report the report card; absent until a session was open
 * @param findings what was found in the definitions of the tools; absent until they were listed
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record McpServerStatus(
        @Nullable Phase phase,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) long observedGeneration,
        List<Condition> conditions,
        List<String> discoveredTools,
        List<String> generatedTools,
        @Nullable Instant lastSyncedAt,
        String lastError,
        String protocolVersion,
        @Nullable JsonNode serverInfo,
        String observedRestart,
        @Nullable JsonNode capabilities,
        String instructions,
        @Nullable Sessions sessions,
        @Nullable ContainerPosture sandbox,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) int toolCount,
        List<String> gateways,
        @Nullable Report report,
        @Nullable FindingSummary findings) {

    /** The most names of tools in a status. */
    public static final int MAX_NAMES = 1_000;

    /** Nothing observed yet. */
    public static final McpServerStatus EMPTY = new Builder().build();

    /** A summary of the conditions, for people. */
    public enum Phase {
        @JsonProperty("Pending")
        PENDING,
        @JsonProperty("Connecting")
        CONNECTING,
        @JsonProperty("Ready")
        READY,
        @JsonProperty("Error")
        ERROR,
        @JsonProperty("Suspended")
        SUSPENDED
    }

    /**
     * Counts failed sessions of a server. Contains only values that change seldom: the number of
     * open sessions is requested from the replicas that have them.
     *
     * @param replica the orlojd that observed it, which was the leader
     * @param restarts how many sessions have ended by themselves there
     * @param since when that orlojd started and began to count
     */
    public record Sessions(String replica, int restarts, Instant since, Failure lastFailure) {}

    /** An unrequested end of a session. */
    public record Failure(Instant time, String message) {}

    public McpServerStatus {
        conditions = conditions == null ? List.of() : List.copyOf(conditions);
        discoveredTools = discoveredTools == null ? List.of() : List.copyOf(discoveredTools);
        generatedTools = generatedTools == null ? List.of() : List.copyOf(generatedTools);
        lastError = orEmpty(lastError);
        protocolVersion = orEmpty(protocolVersion);
        gateways = gateways == null ? List.of() : List.copyOf(gateways);
        // A status from before the count was added contains all names.
        toolCount = Math.max(toolCount, generatedTools.size());
        instructions = orEmpty(instructions);
        observedRestart = orEmpty(observedRestart);
    }

    /** Returns a builder with the values of this status. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.phase = phase;
        builder.observedGeneration = observedGeneration;
        builder.conditions = conditions;
        builder.discoveredTools = discoveredTools;
        builder.generatedTools = generatedTools;
        builder.lastSyncedAt = lastSyncedAt;
        builder.lastError = lastError;
        builder.protocolVersion = protocolVersion;
        builder.serverInfo = serverInfo;
        builder.observedRestart = observedRestart;
        builder.capabilities = capabilities;
        builder.instructions = instructions;
        builder.sessions = sessions;
        builder.sandbox = sandbox;
        builder.toolCount = toolCount;
        builder.gateways = gateways;
        builder.report = report;
        builder.findings = findings;
        return builder;
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    /** Builds a status that differs from another one. Not thread-safe. */
    public static final class Builder {

        private @Nullable Phase phase;
        private long observedGeneration;
        private List<Condition> conditions = List.of();
        private List<String> discoveredTools = List.of();
        private List<String> generatedTools = List.of();
        private @Nullable Instant lastSyncedAt;
        private String lastError = "";
        private String protocolVersion = "";
        private @Nullable JsonNode serverInfo;
        private String observedRestart = "";
        private @Nullable JsonNode capabilities;
        private String instructions = "";
        private @Nullable Sessions sessions;
        private @Nullable ContainerPosture sandbox;
        private int toolCount;
        private List<String> gateways = List.of();
        private @Nullable Report report;
        private @Nullable FindingSummary findings;

        private Builder() {}

        /**
         * @param generation the generation that was observed
         */
        public Builder phase(Phase summary, long generation) {
            phase = summary;
            observedGeneration = generation;
            return this;
        }

        public Builder conditions(List<Condition> observed) {
            conditions = observed;
            return this;
        }

        /**
         * Sets the tools and the time of their sync.
         *
         * @param count the number of Tools
         */
        public Builder tools(
                List<String> discovered,
                List<String> generated,
                int count,
                @Nullable Instant syncedAt) {
            discoveredTools = discovered;
            generatedTools = generated;
            toolCount = count;
            lastSyncedAt = syncedAt;
            return this;
        }

        public Builder gateways(List<String> ids) {
            gateways = ids;
            return this;
        }

        /**
         * @param message empty when there is none
         */
        public Builder lastError(String message) {
            lastError = message;
            return this;
        }

        /** Sets the identity that the server reports. */
        public Builder identity(
                String revision,
                @Nullable JsonNode info,
                @Nullable JsonNode offered,
                String advice) {
            protocolVersion = revision;
            serverInfo = info;
            capabilities = offered;
            instructions = advice;
            return this;
        }

        /** Sets what the server says of itself, as clients get it. */
        public Builder description(@Nullable JsonNode info, String advice) {
            serverInfo = info;
            instructions = advice;
            return this;
        }

        public Builder observedRestart(String restart) {
            observedRestart = restart;
            return this;
        }

        public Builder sessions(@Nullable Sessions observed) {
            sessions = observed;
            return this;
        }

        public Builder sandbox(@Nullable ContainerPosture posture) {
            sandbox = posture;
            return this;
        }

        public Builder report(@Nullable Report taken) {
            report = taken;
            return this;
        }

        public Builder findings(@Nullable FindingSummary found) {
            findings = found;
            return this;
        }

        public McpServerStatus build() {
            return new McpServerStatus(
                    phase,
                    observedGeneration,
                    conditions,
                    discoveredTools,
                    generatedTools,
                    lastSyncedAt,
                    lastError,
                    protocolVersion,
                    serverInfo,
                    observedRestart,
                    capabilities,
                    instructions,
                    sessions,
                    sandbox,
                    toolCount,
                    gateways,
                    report,
                    findings);
        }
    }
}
