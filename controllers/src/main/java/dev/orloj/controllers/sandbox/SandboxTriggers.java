package dev.orloj.controllers.sandbox;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.core.Secret;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.controllers.informer.EventHandler;
import dev.orloj.controllers.informer.Informer;
import dev.orloj.controllers.workqueue.Workqueue;
import dev.orloj.runtime.container.SharedContainers;

/** Enqueues the Sandboxes that a change affects. */
public final class SandboxTriggers {

    private SandboxTriggers() {}

    /** Adds the event handlers. The informers must not be started yet. */
    public static void install(
            Informer<Sandbox> sandboxes,
            Informer<Secret> secrets,
            SharedContainers shared,
            Workqueue<ResourceKey> queue) {
        sandboxes.addHandler(
                new EventHandler<>() {
                    @Override
                    public void added(Sandbox sandbox, boolean initial) {
                        queue.add(sandbox.key());
                    }

                    /** Another client may have removed the finalizer, or changed the status. */
                    @Override
                    public void updated(Sandbox before, Sandbox after) {
                        queue.add(after.key());
                    }

                    @Override
                    public void deleted(Sandbox last) {
                        queue.add(last.key());
                    }
                });
        secrets.addHandler(
                new EventHandler<>() {
                    @Override
                    public void added(Secret secret, boolean initial) {
                        touch(secret);
                    }

                    @Override
                    public void updated(Secret before, Secret after) {
                        if (!before.spec().data().equals(after.spec().data())) {
                            touch(after);
                        }
                    }

                    @Override
                    public void deleted(Secret last) {
                        touch(last);
                    }

                    /**
                     * Enqueues every Sandbox of the namespace. Sandboxes are few and Secrets change
                     * seldom, so the references are not compared.
                     */
                    private void touch(Secret secret) {
                        sandboxes
                                .cache()
                                .inNamespace(secret.metadata().namespace())
                                .forEach(sandbox -> queue.add(sandbox.key()));
                    }
                });
        shared.onChange(owner -> queue.add(new ResourceKey(owner.namespace(), owner.server())));
    }
}
