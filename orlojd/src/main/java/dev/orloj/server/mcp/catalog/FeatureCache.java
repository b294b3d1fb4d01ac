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
 * What servers listed when they were last asked, so that a list of many servers does not wake them
 * all each time. Kept until the server says that the list has changed, or is another one; not kept
 * when it says so while the list is read. Thread-safe.
 */
public final class FeatureCache {

    private record Key(ResourceKey server, FeatureList list) {}

    /** What a list is, if that is known. */
    private sealed interface Entry {

        SessionKey of();
    }

    private record Kept(SessionKey of, List<ObjectNode> items) implements Entry {}

    /**
     * A list that is being read, by one agent or several. Gone when it changes: as questions are
     * compared by identity, what was read until then is not taken for the answer to a later one.
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

    /** Call it before the server is asked. */
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

    /** Keeps what was read, unless it has changed meanwhile. */
    void keep(Question question, List<ObjectNode> items) {
        entries.replace(question.key, question, new Kept(question.of, List.copyOf(items)));
    }

    public void forget(ResourceKey server, ListKind changed) {
        entries.keySet().removeIf(key -> key.server().equals(server) && key.list().isOf(changed));
    }

    /**
     * What a new session offers may be something else. A list that is being read is read from it,
     * as requests to the session before have failed.
     */
    public void forget(ResourceKey server) {
        entries.entrySet()
                .removeIf(
                        entry ->
                                entry.getKey().server().equals(server)
                                        && entry.getValue() instanceof Kept);
    }
}
