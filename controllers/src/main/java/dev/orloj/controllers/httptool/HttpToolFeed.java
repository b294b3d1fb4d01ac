package dev.orloj.controllers.httptool;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.informer.EventHandler;
import dev.orloj.controllers.informer.Index;
import dev.orloj.controllers.informer.Informer;
import dev.orloj.controllers.secret.SecretLookup;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.catalog.ToolEntry;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * Updates the declared Tools of a {@link ToolCatalog} from the resources. Runs on every replica,
 * because every replica serves calls, whether it leads or not.
 */
final class HttpToolFeed {

    private final Informer<Tool> tools;
    private final DeclaredToolResolver resolver;
    private final ToolCatalog catalog;

    /**
     * Serializes the events of Tools and Secrets, which arrive on different threads. The last event
     * to take the lock reads the newest state.
     */
    private final Object lock = new Object();

    HttpToolFeed(Informer<Tool> tools, DeclaredToolResolver resolver, ToolCatalog catalog) {
        this.tools = tools;
        this.resolver = resolver;
        this.catalog = catalog;
    }

    /**
     * Adds the event handlers. The informers must not be started yet.
     *
     * @param users Tools by the Secrets that they refer to
     * @param policies makes its argument follow the namespaces whose Tools a policy affects
     */
    void install(SecretLookup secrets, Index<Tool> users, Consumer<Consumer<String>> policies) {
        tools.addHandler(EventHandler.of(HttpToolFeed::isChanged, tool -> refresh(tool.key())));
        secrets.addHandler(SecretUsers.handler(users, this::refresh));
        policies.accept(
                namespace ->
                        tools.cache().inNamespace(namespace).stream()
                                .filter(HttpToolControl::isDeclared)
                                .forEach(tool -> refresh(tool.key())));
    }

    private void refresh(ResourceKey key) {
        synchronized (lock) {
            Optional<DeclaredTool> declared =
                    tools.cache()
                            .find(key)
                            .filter(tool -> !tool.metadata().isDeleting())
                            .flatMap(resolver::resolve);
            switch (declared.orElse(null)) {
                case null -> {
                    catalog.httpTools().remove(key);
                    withdraw(key);
                }
                case DeclaredTool.Refused refused -> {
                    catalog.httpTools().refuse(key, refused.message());
                    withdraw(key);
                }
                case DeclaredTool.Callable callable -> {
                    catalog.httpTools().put(callable.tool());
                    catalog.putTool(callable.entry());
                }
            }
        }
    }

    /** Removes the catalog entry, unless it belongs to a server. */
    private void withdraw(ResourceKey key) {
        catalog.findTool(key).filter(ToolEntry::isDeclared).ifPresent(_ -> catalog.removeTool(key));
    }

    private static boolean isChanged(Tool before, Tool after) {
        return before.metadata().generation() != after.metadata().generation()
                || !before.metadata().uid().equals(after.metadata().uid())
                || before.metadata().isDeleting() != after.metadata().isDeleting();
    }
}
