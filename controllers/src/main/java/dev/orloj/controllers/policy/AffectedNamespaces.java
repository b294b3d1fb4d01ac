package dev.orloj.controllers.policy;

import dev.orloj.api.core.Namespace;
import dev.orloj.api.policy.McpServerPolicy;
import dev.orloj.controllers.informer.EventHandler;
import dev.orloj.controllers.informer.Informer;

import java.util.function.Consumer;

/**
 * Names the namespaces whose resources may be allowed or refused after a change of a policy, or of
 * the labels that policies select by.
 */
public final class AffectedNamespaces {

    private AffectedNamespaces() {}

    /**
     * Adds the event handlers. The informers must not be started yet.
     *
     * @param affected takes the names, on the threads of the informers
     */
    public static void follow(
            Informer<McpServerPolicy> policies,
            Informer<Namespace> namespaces,
            Consumer<String> affected) {
        policies.addHandler(
                new EventHandler<McpServerPolicy>() {
                    @Override
                    public void added(McpServerPolicy policy, boolean initial) {
                        selected(policy);
                    }

                    @Override
                    public void updated(McpServerPolicy before, McpServerPolicy after) {
                        if (!before.spec().equals(after.spec())) {
                            selected(before);
                            selected(after);
                        }
                    }

                    @Override
                    public void deleted(McpServerPolicy last) {
                        selected(last);
                    }

                    private void selected(McpServerPolicy policy) {
                        namespaces.cache().list().stream()
                                .filter(found -> policy.selects(found.metadata().labels()))
                                .forEach(found -> affected.accept(found.metadata().name()));
                    }
                });
        namespaces.addHandler(
                EventHandler.of(
                        (before, after) ->
                                !before.metadata().labels().equals(after.metadata().labels()),
                        namespace -> affected.accept(namespace.metadata().name())));
    }
}
