package dev.orloj.server.registry;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.core.Namespace;

/** Creates the namespaces that always exist, because clients and Orloj itself rely on them. */
public final class PermanentNamespaces {

    private PermanentNamespaces() {}

    /** Creates those that do not exist. */
    public static void ensure(ResourceClient client) {
        for (String name : Namespace.PERMANENT) {
            try {
                client.create(Namespace.KIND, Namespace.of(name));
            } catch (ApiException e) {
                if (e.reason() != ErrorReason.ALREADY_EXISTS) {
                    throw e;
                }
            }
        }
    }
}
