package dev.orloj.api.v1;

import com.fasterxml.jackson.annotation.JsonProperty;

/** When something runs. */
public enum Lifecycle {
    /** From when it is needed until it is not. */
    @JsonProperty("on_demand")
    ON_DEMAND,
    /** From the start, and again when it ends. */
    @JsonProperty("always_on")
    ALWAYS_ON
}
