package dev.orloj.controllers.secret;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.core.Namespace;
import dev.orloj.api.core.Secret;
import dev.orloj.controllers.informer.EventHandler;
import dev.orloj.controllers.informer.Informer;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The Secrets as servers get them: those of the API, and where there is none of a name, those of
 * mounted files. Thread-safe.
 */
public final class SecretLookup {

    private final Informer<Secret> stored;
    private final Informer<Namespace> namespaces;
    private final MountedSecrets mounted;

    /**
     * @param stored not started yet
     * @param namespaces not started yet
     */
    public SecretLookup(
            Informer<Secret> stored, Informer<Namespace> namespaces, MountedSecrets mounted) {
        this.stored = stored;
        this.namespaces = namespaces;
        this.mounted = mounted;
    }

    public Optional<Secret> find(ResourceKey key) {
        return stored.cache().find(key).or(() -> mounted.find(key));
    }

    /**
     * Adds a handler for all changes. A change of files is one of the Secret in each namespace that
     * may use them, and comes without its values: handlers look them up.
     */
    public void addHandler(EventHandler<Secret> handler) {
        stored.addHandler(handler);
        mounted.onChange(
                (namespace, name) -> {
                    for (String each : affected(namespace)) {
                        handler.added(
                                MountedSecrets.placeholder(new ResourceKey(each, name)), false);
                    }
                });
    }

    private Collection<String> affected(String namespace) {
        return namespace.isEmpty()
                ? namespaces.cache().list().stream().map(n -> n.metadata().name()).toList()
                : List.of(namespace);
    }
}
