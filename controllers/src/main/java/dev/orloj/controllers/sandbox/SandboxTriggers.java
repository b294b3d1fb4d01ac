package dev.orloj.controllers.sandbox;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.core.Namespace;
import dev.orloj.api.policy.McpServerPolicy;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.controllers.informer.EventHandler;
import dev.orloj.controllers.informer.Informer;
import dev.orloj.controllers.secret.SecretLookup;
import dev.orloj.controllers.workqueue.Workqueue;
import dev.orloj.runtime.container.SharedContainers;

/** Enqueues the Sandboxes that a change affects. */
public final class SandboxTriggers {

    private SandboxTriggers() {}

    /** Adds the event handlers. The informers must not be started yet. */
    public static void install(
            Informer<Sandbox> sandboxes,
            SecretLookup secrets,
            Informer<McpServerPolicy> policies,
            Informer<Namespace> namespaces,
            SharedContainers shared,
            Workqueue<ResourceKey> queue) {
        // All updates: another client may have removed the finalizer, or changed the status.
        sandboxes.addHandler(EventHandler.of(sandbox -> queue.add(sandbox.key())));
        // All Sandboxes of the namespace: they are few, and Secrets change seldom, so the
        // references are not compared.
        secrets.addHandler(
                EventHandler.of(
                        (before, after) -> !before.spec().data().equals(after.spec().data()),
                        secret ->
                                sandboxes
                                        .cache()
                                        .inNamespace(secret.metadata().namespace())
                                        .forEach(sandbox -> queue.add(sandbox.key()))));
        policies.addHandler(
                EventHandler.of(
                        (before, after) -> !before.spec().equals(after.spec()),
                        _ -> sandboxes.cache().list().forEach(s -> queue.add(s.key()))));
        namespaces.addHandler(
                EventHandler.of(
                        (before, after) ->
                                !before.metadata().labels().equals(after.metadata().labels()),
                        namespace ->
                                sandboxes
                                        .cache()
                                        .inNamespace(namespace.metadata().name())
                                        .forEach(sandbox -> queue.add(sandbox.key()))));
        shared.onChange(owner -> queue.add(new ResourceKey(owner.namespace(), owner.server())));
    }
}
