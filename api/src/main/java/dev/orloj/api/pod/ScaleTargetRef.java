package dev.orloj.api.pod;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

import org.jspecify.annotations.Nullable;

/**
 * The workload of the cluster that runs a server over HTTP, in the namespace of the Pods of
 * servers. A HorizontalPodAutoscaler names its target in the same way.
 *
 * @param kind Deployment if null
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ScaleTargetRef(Kind kind, String name) {

    /** The kinds that have replicas. */
    public enum Kind {
        @JsonProperty("Deployment")
        DEPLOYMENT("Deployment", "deployments"),
        @JsonProperty("StatefulSet")
        STATEFUL_SET("StatefulSet", "statefulsets");

        private final String text;
        private final String plural;

        Kind(String text, String plural) {
            this.text = text;
            this.plural = plural;
        }

        /** Returns the name in a manifest. */
        public String text() {
            return text;
        }

        /** Returns the name of the resource in URLs and rules. */
        public String plural() {
            return plural;
        }
    }

    public ScaleTargetRef(@Nullable Kind kind, @Nullable String name) {
        this.kind = kind == null ? Kind.DEPLOYMENT : kind;
        this.name = name == null ? "" : name;
    }

    /** Returns the kind and the name, for messages. */
    @Override
    public String toString() {
        return "%s \"%s\"".formatted(kind.text(), name);
    }
}
