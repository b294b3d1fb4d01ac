package dev.orloj.controllers.namespace;

import dev.orloj.api.Resource;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.core.Namespace;
import dev.orloj.controllers.informer.EventHandler;
import dev.orloj.controllers.informer.Informer;
import dev.orloj.controllers.informer.Informers;
import dev.orloj.controllers.workqueue.Workqueue;

/** Enqueues the namespaces that a change affects. */
public final class NamespaceTriggers {

    private final Informer<Namespace> namespaces;
    private final Workqueue<ResourceKey> queue;

    private NamespaceTriggers(Informer<Namespace> namespaces, Workqueue<ResourceKey> queue) {
        this.namespaces = namespaces;
        this.queue = queue;
    }

    /** Adds the event handlers. The informers must not be started yet. */
    public static void install(Informers informers, Workqueue<ResourceKey> queue) {
        NamespaceTriggers triggers = new NamespaceTriggers(informers.of(Namespace.KIND), queue);
        triggers.namespaces.addHandler(triggers.new Namespaces());
        informers.all().stream()
                .filter(informer -> informer.kind().namespaced())
                .forEach(informer -> informer.addHandler(triggers.new Content()));
    }

    private final class Namespaces implements EventHandler<Namespace> {

        @Override
        public void added(Namespace namespace, boolean initial) {
            if (namespace.metadata().isDeleting()) {
                queue.add(namespace.key());
            }
        }

        @Override
        public void updated(Namespace before, Namespace after) {
            if (!before.metadata().isDeleting()) {
                added(after, false);
            }
        }

        @Override
        public void deleted(Namespace last) {
            queue.add(last.key());
        }
    }

    /**
     * Enqueues a namespace that is being deleted when one of its resources is gone, because that
     * resource may have been the last.
     */
    private final class Content implements EventHandler<Resource> {

        @Override
        public void deleted(Resource last) {
            namespaces
                    .cache()
                    .find(new ResourceKey("", last.metadata().namespace()))
                    .filter(namespace -> namespace.metadata().isDeleting())
                    .ifPresent(namespace -> queue.add(namespace.key()));
        }
    }
}
