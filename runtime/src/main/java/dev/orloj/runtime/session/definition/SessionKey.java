package dev.orloj.runtime.session.definition;

import dev.orloj.runtime.subject.SubjectIdentifier;

import java.util.Optional;

/**
 * Identifies what a session was opened for. Two keys are equal when one session serves both: the
 * same server over the same connection. A server whose key changes gets a new session; all other
 * changes apply to the open session.
 *
 * @param generation of the manifest; not part of equality, but determines which of two keys is
 *     newer
 * @param connection everything that the connection depends on, with secrets resolved; compared by
 *     value
 * @param subject the user whose requests the session sends; empty for a session of orlojd itself. A
 *     session never serves another user, whatever its generation is
 */
public record SessionKey(
        String serverUid, long generation, Object connection, Optional<SubjectIdentifier> subject) {

    /** Creates the key of a session of orlojd itself. */
    public SessionKey(String serverUid, long generation, Object connection) {
        this(serverUid, generation, connection, Optional.empty());
    }

    /** Returns the key of a session for the requests of this user. */
    public SessionKey onBehalfOf(SubjectIdentifier user) {
        return new SessionKey(serverUid, generation, connection, Optional.of(user));
    }

    /** Returns the key of the sessions of orlojd itself with the same server. */
    public SessionKey ofServer() {
        return subject.isEmpty() ? this : new SessionKey(serverUid, generation, connection);
    }

    /** Returns whether both keys are for the same server and user. */
    public boolean isOfSameServer(SessionKey other) {
        return serverUid.equals(other.serverUid) && subject.equals(other.subject);
    }

    /**
     * Returns whether this is another connection of an earlier generation of the same server. Other
     * differences have no order.
     */
    public boolean isOlderThan(SessionKey other) {
        return isOfSameServer(other)
                && generation < other.generation
                && !connection.equals(other.connection);
    }

    /** Returns whether a session with this key also serves requests for the other key. */
    public boolean serves(SessionKey wanted) {
        return equals(wanted) || wanted.isOlderThan(this);
    }

    /**
     * Returns whether both keys come from the same generation too, so that what failed for one
     * fails for the other.
     */
    public boolean isSameAs(SessionKey other) {
        return equals(other) && generation == other.generation;
    }

    /** Returns whether the other key replaces this key of the same server. */
    public boolean isSucceededBy(SessionKey next) {
        return isOfSameServer(next) && !serves(next);
    }

    /** Returns the reason why a session with this key ends, for messages. */
    public String replacedBy(SessionKey next) {
        return next.generation == generation
                ? "replaced: a value that it uses has changed, or a restart was asked for"
                : "replaced by generation " + next.generation;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SessionKey key
                && isOfSameServer(key)
                && connection.equals(key.connection);
    }

    @Override
    public int hashCode() {
        return 31 * serverUid.hashCode() + connection.hashCode();
    }

    /** Omits the connection because it contains secrets. */
    @Override
    public String toString() {
        return "SessionKey[serverUid=" + serverUid + ", generation=" + generation + "]";
    }
}
