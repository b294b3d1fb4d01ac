package dev.orloj.server.mcp;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.session.SessionKey;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * What servers listed when they were last asked, so that a list of many servers does not wake them
 * all each time. Kept until the server says that the list has changed, or is another one.
 * Thread-safe.
 */
final class FeatureCache {

    private record Key(ResourceKey server, FeatureList list) {}

    private record Kept(SessionKey of, List<ObjectNode> items) {}

    private final ConcurrentMap<Key, Kept> kept = new ConcurrentHashMap<>();

    Optional<List<ObjectNode>> find(ResourceKey server, SessionKey of, FeatureList list) {
        return Optional.ofNullable(kept.get(new Key(server, list)))
                .filter(found -> found.of().equals(of))
                .map(Kept::items);
    }

    void keep(ResourceKey server, SessionKey of, FeatureList list, List<ObjectNode> items) {
        kept.put(new Key(server, list), new Kept(of, List.copyOf(items)));
    }

    void forget(ResourceKey server, ListKind changed) {
        kept.keySet().removeIf(key -> key.server().equals(server) && key.list().isOf(changed));
    }

    /** What a new session offers may be something else. */
    void forget(ResourceKey server) {
        kept.keySet().removeIf(key -> key.server().equals(server));
    }
}
