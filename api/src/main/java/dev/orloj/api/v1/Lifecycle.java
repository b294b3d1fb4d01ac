package dev.orloj.api.v1;

import com.fasterxml.jackson.annotation.JsonProperty;

/** When a session or a container runs. */
public enum Lifecycle {
    /** Starts when it is needed and stops when it is not. */
    @JsonProperty("on_demand")
    ON_DEMAND,
    /** Starts at once and again whenever it ends. */
    @JsonProperty("always_on")
    ALWAYS_ON
}
