package dev.orloj.controllers.sandbox;

/** What runs a server with an image, and a Sandbox. */
public enum ServerEngine {
    /** Docker or Podman. */
    CONTAINER,
    /** Kubernetes. */
    POD;

    /** The reason of a condition while the engine that a server needs cannot be used. */
    public static final String UNAVAILABLE = "EngineUnavailable";
}
