package dev.orloj.controllers;

import dev.orloj.api.v1.Sandbox;
import dev.orloj.controllers.informer.EventHandler;
import dev.orloj.controllers.sandbox.SandboxReconciler;
import dev.orloj.runtime.container.ContainerEngine;
import dev.orloj.runtime.container.spec.ContainerOwner;

/**
 * Removes what this replica keeps for a Sandbox that is gone: its network and its log. Containers
 * are gone before, as the finalizer is.
 */
final class GoneSandboxes implements EventHandler<Sandbox> {

    private final ContainerEngine containers;

    GoneSandboxes(ContainerEngine containers) {
        this.containers = containers;
    }

    @Override
    public void added(Sandbox sandbox, boolean initial) {}

    @Override
    public void updated(Sandbox before, Sandbox after) {}

    @Override
    public void deleted(Sandbox sandbox) {
        ContainerOwner owner = SandboxReconciler.owner(sandbox);
        containers.forget(owner);
        containers.shared().forget(owner);
    }
}
