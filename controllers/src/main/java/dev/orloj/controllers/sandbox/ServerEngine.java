package dev.orloj.controllers.sandbox;

/** What runs a server with an image. */
public enum ServerEngine {
    /** Docker or Podman. */
    CONTAINER,
    /** Kubernetes. */
    POD
}
