package dev.orloj.controllers.httptool;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.core.Secret;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.informer.EventHandler;
import dev.orloj.controllers.informer.Index;

import java.util.function.Consumer;

/**
 * Refreshes the Tools that refer to a Secret when its values change.
 *
 * @param users Tools by the Secrets that they refer to
 * @param refresh takes the key of a Tool
 */
record SecretUsers(Index<Tool> users, Consumer<ResourceKey> refresh)
        implements EventHandler<Secret> {

    @Override
    public void added(Secret secret, boolean initial) {
        pass(secret);
    }

    @Override
    public void updated(Secret before, Secret after) {
        if (!before.spec().data().equals(after.spec().data())) {
            pass(after);
        }
    }

    @Override
    public void deleted(Secret last) {
        pass(last);
    }

    private void pass(Secret secret) {
        users.find(secret.key().toString()).forEach(tool -> refresh.accept(tool.key()));
    }
}
