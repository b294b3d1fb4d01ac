package dev.orloj.controllers.httptool;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.core.Secret;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.informer.EventHandler;
import dev.orloj.controllers.informer.Index;
import dev.orloj.controllers.informer.Informer;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.catalog.ToolEntry;

import java.util.Optional;

/**
 * Keeps the declared Tools of a {@link ToolCatalog} in step with the resources. Runs on every
 * replica: calls are served everywhere, whoever reconciles.
 */
final class HttpToolFeed {

    private final Informer<Tool> tools;
    private final DeclaredToolResolver resolver;
    private final ToolCatalog catalog;

    /** Tools and Secrets come on different threads; the last one has read the newest. */
    private final Object lock = new Object();

    HttpToolFeed(Informer<Tool> tools, DeclaredToolResolver resolver, ToolCatalog catalog) {
        this.tools = tools;
        this.resolver = resolver;
        this.catalog = catalog;
    }

    /**
     * The informers are not started yet.
     *
     * @param users Tools by the Secrets that they refer to
     */
    void install(Informer<Secret> secrets, Index<Tool> users) {
        tools.addHandler(new Tools());
        secrets.addHandler(new SecretUsers(users, this::refresh));
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

    /** What a server answers for is none of this. */
    private void withdraw(ResourceKey key) {
        catalog.findTool(key)
                .map(ToolEntry::server)
                .filter(ToolEntry.noServer(key.namespace())::equals)
                .ifPresent(_ -> catalog.removeTool(key));
    }

    private final class Tools implements EventHandler<Tool> {

        @Override
        public void added(Tool tool, boolean initial) {
            refresh(tool.key());
        }

        @Override
        public void updated(Tool before, Tool after) {
            if (before.metadata().generation() != after.metadata().generation()
                    || !before.metadata().uid().equals(after.metadata().uid())
                    || before.metadata().isDeleting() != after.metadata().isDeleting()) {
                refresh(after.key());
            }
        }

        @Override
        public void deleted(Tool last) {
            refresh(last.key());
        }
    }
}
