package dev.orloj.api.v1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;

import java.util.List;

/**
 * The network access of a container.
 *
 * @param mode null for orlojd's default, or isolated when there are hosts
 * @param allowHosts the only hosts that it reaches; all of the internet when empty
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonNaming(SnakeCaseStrategy.class)
public record ContainerNetwork(@Nullable Mode mode, List<String> allowHosts) {

    /** How far a container sees. */
    public enum Mode {
        /** No further than itself. */
        @JsonProperty("none")
        NONE,
        /** To the internet, past everything near: the host, private networks, other servers. */
        @JsonProperty("isolated")
        ISOLATED,
        /** To all that the host sees, and to all other containers on this network. */
        @JsonProperty("bridge")
        BRIDGE
    }

    public ContainerNetwork {
        allowHosts = allowHosts == null ? List.of() : List.copyOf(allowHosts);
    }
}
