package dev.orloj.controllers;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.informer.Informer;

import java.time.Duration;

/**
 * How far the catalog of this process follows the Tools of the store. A client reads a Tool from
 * the store, and may call it before the informer of this process receives it. Thread-safe.
 */
public final class ToolFreshness {

    private static final Duration MAX_WAIT = Duration.ofSeconds(5);

    private final ResourceClient client;
    private final Informer<Tool> tools;

    ToolFreshness(ResourceClient client, Informer<Tool> tools) {
        this.client = client;
        this.tools = tools;
    }

    /**
     * Waits until the catalog reflects a Tool as the store holds it now; returns at once if there
     * is none.
     *
     * @throws ApiException (Timeout) when that takes more than five seconds
     */
    public void await(ResourceKey key) throws InterruptedException {
        Tool stored = client.find(Tool.KIND, key).orElse(null);
        if (stored != null && !tools.awaitFresh(stored.metadata().resourceVersion(), MAX_WAIT)) {
            throw new ApiException(
                    ErrorReason.TIMEOUT,
                    ("tool \"%s\" is stored, but this orlojd has not received it within %d seconds;"
                                    + " the call was not carried out: try again")
                            .formatted(key, MAX_WAIT.toSeconds()));
        }
    }
}
