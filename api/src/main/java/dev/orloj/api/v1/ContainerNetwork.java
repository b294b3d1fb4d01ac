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
 * @param allowHosts the only hosts that it can reach; the whole internet when empty
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonNaming(SnakeCaseStrategy.class)
public record ContainerNetwork(@Nullable Mode mode, List<String> allowHosts) {

    /** What a container can reach. */
    public enum Mode {
        /** Nothing but itself. */
        @JsonProperty("none")
        NONE,
        /** The internet, but nothing near: not the host, private networks, or other servers. */
        @JsonProperty("isolated")
        ISOLATED,
        /** Everything that the host can reach, and all other containers on this network. */
        @JsonProperty("bridge")
        BRIDGE
    }

    public ContainerNetwork {
        allowHosts = allowHosts == null ? List.of() : List.copyOf(allowHosts);
    }
}
