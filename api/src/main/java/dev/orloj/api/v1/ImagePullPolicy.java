package dev.orloj.api.v1;

import com.fasterxml.jackson.annotation.JsonProperty;

/** When an image is pulled from its registry. The names are those of Kubernetes. */
public enum ImagePullPolicy {
    @JsonProperty("Always")
    ALWAYS,
    @JsonProperty("IfNotPresent")
    IF_NOT_PRESENT,
    @JsonProperty("Never")
    NEVER
}
