package dev.orloj.controllers;

import dev.orloj.api.v1.Sandbox;
import dev.orloj.controllers.informer.EventHandler;
import dev.orloj.controllers.sandbox.SandboxReconciler;
import dev.orloj.runtime.container.ContainerEngine;
import dev.orloj.runtime.container.spec.ContainerOwner;

/**
 * Removes the network and the log that this replica keeps for a deleted Sandbox. Its containers are
 * gone earlier, before the finalizer is removed.
 */
final class GoneSandboxes implements EventHandler<Sandbox> {

    private final ContainerEngine containers;

    GoneSandboxes(ContainerEngine containers) {
        this.containers = containers;
    }

    @Override
    public void deleted(Sandbox sandbox) {
        ContainerOwner owner = SandboxReconciler.owner(sandbox);
        containers.forget(owner);
        containers.shared().forget(owner);
    }
}
