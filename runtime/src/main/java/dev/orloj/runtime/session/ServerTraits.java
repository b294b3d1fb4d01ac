package dev.orloj.runtime.session;

import dev.orloj.runtime.client.VersionNegotiation;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.definition.SessionKey;
import dev.orloj.runtime.transport.ServerAddress;

import org.jspecify.annotations.Nullable;

/**
 * What the sessions with a server have shown about its protocol, each trait with the key that it
 * was observed for. Thread-safe.
 */
final class ServerTraits {

    /** The key of a server known to require {@code initialize}; it is not probed again. */
    private volatile @Nullable SessionKey legacy;

    /** The key of a server whose revision has no unsolicited server requests. */
    private volatile @Nullable SessionKey modern;

    /** The key of a server that sent, or will send, messages without a request id. */
    private volatile @Nullable SessionKey unclear;

    /** Records the outcome of a version negotiation. */
    void negotiated(ServerDefinition definition, VersionNegotiation.NegotiatedServer met) {
        if (met.identity().capabilities().has("logging")
                && !(definition.address() instanceof ServerAddress.Http)) {
            rememberAsUnclear(definition.key());
        }
        if (met.era().revision().isStateless()) {
            modern = definition.key().ofServer();
        } else if (met.isLasting()) {
            rememberAsLegacy(definition.key());
        }
    }

    void rememberAsUnclear(SessionKey key) {
        unclear = key.ofServer();
    }

    void rememberAsLegacy(SessionKey key) {
        legacy = key.ofServer();
    }

    boolean isKnownAsLegacy(SessionKey key) {
        return key.ofServer().equals(legacy);
    }

    /** Returns whether clients do not share sessions. */
    boolean isolates(ServerDefinition definition) {
        if (definition.isOfUser()) {
            return true;
        }
        return switch (definition.sharing().isolation().scope()) {
            case SHARED -> false;
            case AGENT, CALL -> true;
            case DETECTED ->
                    definition.sharing().isolation().most() > 1
                            && (asksUnasked(definition) || definition.key().equals(unclear));
        };
    }

    /**
     * Returns whether the server may send requests that name no call. Over Streamable HTTP, the
     * stream usually identifies the call.
     */
    private boolean asksUnasked(ServerDefinition definition) {
        return definition.requestPolicy().parks()
                && !(definition.address() instanceof ServerAddress.Http)
                && !definition.key().equals(modern);
    }
}
