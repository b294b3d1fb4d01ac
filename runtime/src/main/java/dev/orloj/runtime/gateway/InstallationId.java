package dev.orloj.runtime.gateway;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.core.Namespace;
import dev.orloj.api.signature.Sha256;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/**
 * Identifies this installation among gateways. The id is the same at all replicas and for the
 * lifetime of the database. It is derived from the uid of the namespace {@code default}, which
 * cannot be deleted. Thread-safe.
 */
public final class InstallationId {

    private static final ResourceKey ANCHOR = new ResourceKey("", "default");
    private static final int LENGTH = 16;

    private final ResourceClient client;
    private volatile @Nullable String known;

    public InstallationId(ResourceClient client) {
        this.client = client;
    }

    /**
     * Returns the id; empty while the namespace does not exist, which is during the first start
     * only.
     */
    public Optional<String> find() {
        String id = known;
        if (id == null) {
            id =
                    client.find(Namespace.KIND, ANCHOR)
                            .map(namespace -> digest(namespace.metadata().uid()))
                            .orElse(null);
            known = id;
        }
        return Optional.ofNullable(id);
    }

    private static String digest(String uid) {
        return Sha256.hex("orloj gateway " + uid).substring(0, LENGTH);
    }
}
