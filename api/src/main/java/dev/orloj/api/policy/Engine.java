package dev.orloj.api.policy;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What runs the programs of servers, if a policy requires it. */
public enum Engine {
    /** What the manifest and the settings of orlojd choose. */
    @JsonProperty("auto")
    AUTO,
    /** Processes on the host. */
    @JsonProperty("process")
    PROCESS,
    /** Containers of Docker or Podman. */
    @JsonProperty("container")
    CONTAINER,
    /** Pods of the cluster of orlojd. */
    @JsonProperty("pod")
    POD;

    /** Returns the name in a manifest. */
    public String text() {
        return switch (this) {
            case AUTO -> "auto";
            case PROCESS -> "process";
            case CONTAINER -> "container";
            case POD -> "pod";
        };
    }

    /** Returns whether this engine runs servers in this way. No engine runs those over HTTP. */
    public boolean runs(Way way) {
        return switch (this) {
            case AUTO -> true;
            case PROCESS -> way == Way.PROCESS;
            case CONTAINER -> way == Way.CONTAINER || way == Way.SANDBOX || way == Way.ATTACH;
            case POD -> way == Way.CONTAINER || way == Way.SANDBOX;
        };
    }
}
