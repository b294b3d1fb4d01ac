package dev.orloj.api.policy;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The ways to run a server that a policy can allow. */
public enum Way {
    /** A process on the host. */
    @JsonProperty("process")
    PROCESS,
    /** A container of an image, for one server. */
    @JsonProperty("container")
    CONTAINER,
    /** A Sandbox, which servers share. */
    @JsonProperty("sandbox")
    SANDBOX,
    /** A container that is managed outside of Orloj. */
    @JsonProperty("attach")
    ATTACH,
    /** A server that runs elsewhere and is reached over HTTP. */
    @JsonProperty("http")
    HTTP;

    /** Returns the name in a manifest. */
    public String text() {
        return switch (this) {
            case PROCESS -> "process";
            case CONTAINER -> "container";
            case SANDBOX -> "sandbox";
            case ATTACH -> "attach";
            case HTTP -> "http";
        };
    }
}
