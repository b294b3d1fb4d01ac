package dev.orloj.controllers.namespace;

import dev.orloj.api.Conditions;
import dev.orloj.api.Kind;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.core.Namespace;
import dev.orloj.controllers.control.Reconciler;
import dev.orloj.controllers.control.Result;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Deletes the content of a namespace that is being deleted, and removes its finalizer when nothing
 * is left. Waits for resources with finalizers, and names them in the conditions of the namespace.
 *
 * <p>A resource may be created at the very moment when the namespace is closed. The reconciler
 * therefore deletes the content once more after the namespace is gone.
 */
public final class NamespaceReconciler implements Reconciler {

    private static final Logger log = LoggerFactory.getLogger(NamespaceReconciler.class);

    /** A safety interval. Normally the deletion of content enqueues the namespace. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

    private final ResourceClient client;
    private final NamespaceContent content;
    private final InstantSource clock;

    public NamespaceReconciler(
            ResourceClient client, List<? extends Kind<?>> namespacedKinds, InstantSource clock) {
        this.client = client;
        this.content = new NamespaceContent(client, namespacedKinds);
        this.clock = clock;
    }

    @Override
    public Result reconcile(ResourceKey key) {
        Optional<Namespace> found = client.find(Namespace.KIND, key);
        if (found.isEmpty()) {
            return content.delete(key.name()).isEmpty()
                    ? Result.DONE
                    : Result.requeueAfter(LOOK_AGAIN);
        }
        Namespace namespace = found.get();
        if (!namespace.metadata().isDeleting() || !isHeld(namespace)) {
            return Result.DONE;
        }
        Remains remains = content.delete(key.name());
        if (!remains.isEmpty()) {
            writeConditions(namespace, remains);
            return Result.requeueAfter(LOOK_AGAIN);
        }
        client.updateFinalizers(
                Namespace.KIND, namespace.withoutFinalizer(Namespace.CONTENT_FINALIZER));
        log.atInfo().addKeyValue("namespace", key.name()).log("Namespace is empty and may go");
        return Result.DONE;
    }

    private static boolean isHeld(Namespace namespace) {
        Namespace.Spec spec = namespace.spec();
        return spec != null && spec.finalizers().contains(Namespace.CONTENT_FINALIZER);
    }

    private void writeConditions(Namespace namespace, Remains remains) {
        Namespace.Status before = namespace.status();
        Namespace.Status after =
                new Namespace.Status(
                        Namespace.TERMINATING,
                        Conditions.merge(
                                before == null ? List.of() : before.conditions(),
                                remains.conditions(),
                                namespace.metadata().generation(),
                                clock.instant()));
        if (!after.equals(before)) {
            client.updateStatus(Namespace.KIND, namespace.withStatus(after));
        }
    }
}
