package dev.orloj.controllers.sandbox;

import dev.orloj.runtime.container.spec.ExecTarget;

/** The result of resolving the manifest of a Sandbox and the Secrets it refers to. */
public sealed interface SandboxResolution {

    /** A container or a Pod can be created. */
    record Resolved(ExecTarget.Managed target) implements SandboxResolution {}

    /** The manifest cannot be acted on until it or a Secret changes. */
    record Refused(String reason, String message) implements SandboxResolution {}
}
