package dev.orloj.server.registry;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.codec.ResourceCodec;
import dev.orloj.api.core.Namespace;
import dev.orloj.api.policy.McpServerPolicy;
import dev.orloj.controllers.sandbox.ContainerPolicy;
import dev.orloj.server.admission.ServerPolicies;
import dev.orloj.server.store.PostgresStore;

import java.util.Map;

/** Reads the policies of admission from the store. */
public final class StoredPolicies {

    private StoredPolicies() {}

    /**
     * Returns the policies as they are stored at the time of each check.
     *
     * @param containers what a container gets whose manifest sets nothing
     */
    public static ServerPolicies in(PostgresStore store, ContainerPolicy containers) {
        return new ServerPolicies(
                () ->
                        store
                                .list(McpServerPolicy.DESCRIPTOR, ListOptions.everything())
                                .items()
                                .stream()
                                .map(row -> ResourceCodec.fromDocument(McpServerPolicy.KIND, row))
                                .toList(),
                namespace ->
                        store.find(Namespace.DESCRIPTOR, new ResourceKey("", namespace))
                                .map(row -> ResourceCodec.fromDocument(Namespace.KIND, row))
                                .map(found -> found.metadata().labels())
                                .orElse(Map.of()),
                containers);
    }
}
