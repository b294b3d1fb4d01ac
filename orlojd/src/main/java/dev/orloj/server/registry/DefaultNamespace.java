package dev.orloj.server.registry;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.v1.Namespace;

/** The namespace that is meant when none is named. */
public final class DefaultNamespace {

    private DefaultNamespace() {}

    /** Creates it unless it is there. */
    public static void ensure(ResourceClient client) {
        try {
            client.create(Namespace.KIND, Namespace.of(Namespace.DEFAULT));
        } catch (ApiException e) {
            if (e.reason() != ErrorReason.ALREADY_EXISTS) {
                throw e;
            }
        }
    }
}
