package dev.orloj.server.mcp.catalog;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.session.definition.SessionKey;
import dev.orloj.server.mcp.protocol.ListKind;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Caches the lists of servers, so that a list of many servers does not start them all each time. A
 * list stays cached until the server reports a change or is replaced. A list that changes while it
 * is read is not cached. Thread-safe.
 */
public final class FeatureCache {

    private record Key(ResourceKey server, FeatureList list) {}

    /** What is known of one list. */
    private sealed interface Entry {

        SessionKey of();
    }

    private record Kept(SessionKey of, List<ObjectNode> items) implements Entry {}

    /**
     * A list that one or several clients are reading. It is removed when the list changes: reads
     * are compared by identity, so a result from before the change does not become the result of a
     * later read.
     */
    static final class Question implements Entry {

        private final Key key;
        private final SessionKey of;

        private Question(Key key, SessionKey of) {
            this.key = key;
            this.of = of;
        }

        @Override
        public SessionKey of() {
            return of;
        }
    }

    private final ConcurrentMap<Key, Entry> entries = new ConcurrentHashMap<>();

    Optional<List<ObjectNode>> find(ResourceKey server, SessionKey of, FeatureList list) {
        return entries.get(new Key(server, list)) instanceof Kept kept && kept.of().equals(of)
                ? Optional.of(kept.items())
                : Optional.empty();
    }

    /** Call it before sending the request to the server. */
    Question begin(ResourceKey server, SessionKey of, FeatureList list) {
        Question fresh = new Question(new Key(server, list), of);
        Entry entry =
                entries.merge(
                        fresh.key,
                        fresh,
                        (before, _) ->
                                before instanceof Question && before.of().equals(of)
                                        ? before
                                        : fresh);
        return entry instanceof Question question ? question : fresh;
    }

    /** Caches what was read, unless the list has changed meanwhile. */
    void keep(Question question, List<ObjectNode> items) {
        entries.replace(question.key, question, new Kept(question.of, List.copyOf(items)));
    }

    public void forget(ResourceKey server, ListKind changed) {
        entries.keySet().removeIf(key -> key.server().equals(server) && key.list().isOf(changed));
    }

    /**
     * A new session may offer other lists. A list that is being read stays: it is read from the new
     * session, because requests to the old one have failed.
     */
    public void forget(ResourceKey server) {
        entries.entrySet()
                .removeIf(
                        entry ->
                                entry.getKey().server().equals(server)
                                        && entry.getValue() instanceof Kept);
    }
}
