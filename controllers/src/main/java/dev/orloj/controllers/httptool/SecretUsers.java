package dev.orloj.controllers.httptool;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.core.Secret;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.informer.EventHandler;
import dev.orloj.controllers.informer.Index;

import java.util.function.Consumer;

/** Refreshes the Tools that refer to a Secret when its values change. */
final class SecretUsers {

    private SecretUsers() {}

    /**
     * @param users Tools by the Secrets that they refer to
     * @param refresh takes the key of a Tool
     */
    static EventHandler<Secret> handler(Index<Tool> users, Consumer<ResourceKey> refresh) {
        return EventHandler.of(
                (before, after) -> !before.spec().data().equals(after.spec().data()),
                secret ->
                        users.find(secret.key().toString())
                                .forEach(tool -> refresh.accept(tool.key())));
    }
}
