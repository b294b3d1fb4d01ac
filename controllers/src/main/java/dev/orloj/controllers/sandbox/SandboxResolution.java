package dev.orloj.controllers.sandbox;

import dev.orloj.runtime.container.spec.ContainerSpec;

/** What became of the manifest of a Sandbox and the Secrets it refers to. */
public sealed interface SandboxResolution {

    /** A container can be made. */
    record Resolved(ContainerSpec container) implements SandboxResolution {}

    /** Nothing can be done until the manifest or a Secret changes. */
    record Refused(String reason, String message) implements SandboxResolution {}
}
